package dev.leasehold.cli;

/** What came of a command, for scripts and for people. */
record Answer(Exit exit, Json json, String sentence) {}
