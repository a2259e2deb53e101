package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;

/** The sender of a command. A command repeats another only if the same caller sent both. */
public sealed interface Caller {
  record Holder(InstanceId instanceId) implements Caller {}

  record ByOperator(Operator operator) implements Caller {}
}
