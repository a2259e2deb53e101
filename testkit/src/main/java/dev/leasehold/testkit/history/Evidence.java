package dev.leasehold.testkit.history;

/** What a violation can be proved with. */
public sealed interface Evidence permits Call, LogEntry, TargetEvent, Fault {}
