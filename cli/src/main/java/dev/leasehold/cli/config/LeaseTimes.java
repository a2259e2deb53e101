package dev.leasehold.cli.config;

import java.time.Duration;
import java.util.Optional;

/**
 * The times of a lease.
 *
 * @param heartbeat empty: a third of the ttl
 * @param stall empty: the lease may be renewed without progress for ever
 */
public record LeaseTimes(Duration ttl, Optional<Duration> heartbeat, Optional<Duration> stall) {}
