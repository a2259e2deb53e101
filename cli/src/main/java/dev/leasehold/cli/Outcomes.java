package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Outcome;
import java.util.OptionalLong;

/** What several commands can be answered with. */
final class Outcomes {
  private Outcomes() {}

  static Json json(String outcome, LeaseKey key) {
    return new Json().with("outcome", outcome).with("key", key.text());
  }

  static Answer lost(LeaseKey key, LossReason reason) {
    return new Answer(
        Exit.LOST,
        Losses.json(json("lost", key), reason),
        "the grant of " + key + " is not yours: it " + Losses.sentence(reason));
  }

  static Answer held(LeaseKey key, Outcome.Held held) {
    return new Answer(
        Exit.NOT_ACQUIRED,
        json("held", key)
            .with("holder", held.by())
            .with("instanceId", held.instanceId().text())
            .with("token", held.token().value())
            .with("remainingMs", held.remainingMillis()),
        key
            + " is held by "
            + held.by()
            + " under token "
            + held.token()
            + ", for another "
            + Values.text(held.remainingMillis())
            + " unless it is renewed; to wait for it, add --wait");
  }

  static Answer closed(LeaseKey key, Outcome.Closed closed) {
    OptionalLong remaining = closed.remainingMillis();
    String until =
        remaining.isPresent()
            ? " for another " + Values.text(remaining.getAsLong())
            : " until an operator opens it (leasehold lease reopen)";
    return new Answer(
        remaining.isPresent() ? Exit.NOT_ACQUIRED : Exit.REFUSED,
        json("closed", key).with("reason", closed.reason()).with("remainingMs", remaining),
        key + " is closed" + until + ": " + closed.reason());
  }

  /** An outcome that belongs to another verb: no store gives it. */
  static IllegalStateException foreign(Outcome outcome) {
    return new IllegalStateException("the store answered with " + outcome);
  }
}
