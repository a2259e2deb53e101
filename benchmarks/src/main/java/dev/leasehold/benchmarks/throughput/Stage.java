package dev.leasehold.benchmarks.throughput;

/** The common parts of all cases. */
record Stage(Settings settings, PostgresServer postgres, Report report) {}
