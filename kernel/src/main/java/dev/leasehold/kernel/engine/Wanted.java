package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Command;
import java.util.Optional;

/** What a caller wants to hold, and how it is to be kept once it is held. */
public record Wanted(
    LeaseKey key,
    Instance instance,
    Terms terms,
    Optional<Command.Expected> expected,
    Timing timing) {}
