package dev.leasehold.benchmarks.throughput;

/** What every case needs. */
record Stage(Settings settings, PostgresServer postgres, Report report) {}
