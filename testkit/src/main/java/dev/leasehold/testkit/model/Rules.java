package dev.leasehold.testkit.model;

import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;

/** What a model store decides by: the protocol's rules, or these with a defect in them. */
@FunctionalInterface
public interface Rules {
  Decision decide(KeyState state, Command command, long clockMillis, Limits limits);

  /** The protocol's own. */
  static Rules sound() {
    return LeaseRules::decide;
  }
}
