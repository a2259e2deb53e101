package dev.leasehold.cli.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How a lease is kept.
 *
 * @param heartbeat empty: at each third of the ttl
 * @param stall empty: it may be renewed without progress for ever
 */
public record LeaseTimes(Duration ttl, Optional<Duration> heartbeat, Optional<Duration> stall) {}
