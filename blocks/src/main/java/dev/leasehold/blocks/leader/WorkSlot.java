package dev.leasehold.blocks.leader;

/** A caller's permission to work under a term on its own thread, until it leaves the slot. */
record WorkSlot(TermRunner runner, Leading leading, WorkRun run) {}
