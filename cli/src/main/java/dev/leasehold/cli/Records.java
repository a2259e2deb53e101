package dev.leasehold.cli;

import dev.leasehold.kernel.Closure;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.LeaseReading;
import java.util.Optional;
import java.util.OptionalLong;

/** What is on record for a key, as it is shown. Never an instance: no store knows one. */
final class Records {
  private Records() {}

  /** {@code held}, {@code closed}, {@code expired} (and nobody has followed), or {@code free}. */
  static String state(LeaseReading reading) {
    LeaseRecord record = reading.record();
    if (record.currentGrant().filter(grant -> grant.isUnexpired(reading.atMillis())).isPresent()) {
      return "held";
    }
    if (closure(reading).isPresent()) {
      return "closed";
    }
    return record.currentGrant().isPresent() ? "expired" : "free";
  }

  static Json json(LeaseReading reading) {
    LeaseRecord record = reading.record();
    Json json = new Json().with("key", record.key().text()).with("state", state(reading));
    Optional<Grant> current = record.currentGrant();
    if (current.isPresent()) {
      Grant grant = current.get();
      HolderInfo info = grant.terms().info();
      json.with("holder", info.holder())
          .with("instanceId", grant.instanceId().text())
          .with("purpose", info.purpose())
          .with("region", info.region())
          .with("token", grant.token().value())
          .with("ttlMs", grant.terms().ttlMillis())
          .with("remainingMs", grant.remainingMillis(reading.atMillis()))
          .with("progress", grant.progress().mark())
          .with("attributes", info.attributes());
    } else {
      json.with("token", record.last().value());
      ended(record).ifPresent(end -> json.with("ended", Losses.json(new Json(), end.reason())));
    }
    closure(reading)
        .ifPresent(
            closure ->
                json.with(
                    "closed",
                    new Json()
                        .with("reason", closure.reason())
                        .with("remainingMs", closure.remainingMillis(reading.atMillis()))));
    return json;
  }

  static Optional<Standing.Ended> ended(LeaseRecord record) {
    return record
        .grant()
        .map(Grant::standing)
        .filter(Standing.Ended.class::isInstance)
        .map(Standing.Ended.class::cast);
  }

  /** For how long still, if it opens by itself. */
  static Optional<String> closedFor(LeaseReading reading) {
    return closure(reading)
        .map(closure -> closure.remainingMillis(reading.atMillis()))
        .filter(OptionalLong::isPresent)
        .map(left -> Values.text(left.getAsLong()));
  }

  /** What keeps the key closed now. */
  static Optional<Closure> closure(LeaseReading reading) {
    return reading.record().closure().filter(closure -> closure.isInForce(reading.atMillis()));
  }
}
