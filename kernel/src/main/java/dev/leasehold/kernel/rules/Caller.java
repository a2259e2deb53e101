package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.Operator;

/** Who sent a command: a repeat is a repeat only if it comes from the same one. */
public sealed interface Caller {
  record Holder(InstanceId instanceId) implements Caller {}

  record ByOperator(Operator operator) implements Caller {}
}
