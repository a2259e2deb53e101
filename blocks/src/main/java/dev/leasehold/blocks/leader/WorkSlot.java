package dev.leasehold.blocks.leader;

/** A place under a term for work on somebody's own thread. To be left when the work has ended. */
record WorkSlot(TermRunner runner, Leading leading, WorkRun run) {}
