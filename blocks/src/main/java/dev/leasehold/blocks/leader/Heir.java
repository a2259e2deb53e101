package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.model.InstanceId;

/** The replica that is to lead next, for {@link Election#handOver}. */
public record Heir(String holder, InstanceId instanceId) {}
