package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.Values;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Readings;
import java.util.Optional;
import java.util.OptionalLong;

/** Records of keys as they are shown. No instance is shown, because no store knows one. */
final class Records {
  private Records() {}

  /**
   * {@code held}, {@code expired} (and no other grant has followed), {@code closed}, {@code free}.
   */
  static String state(LeaseReading reading) {
    return Readings.stateOf(reading).word();
  }

  static void write(JsonOut out, LeaseReading reading) {
    Readings.write(out, reading, Detail.BRIEF);
  }

  static Optional<Standing.Ended> ended(LeaseRecord record) {
    return record
        .grant()
        .map(Grant::standing)
        .filter(Standing.Ended.class::isInstance)
        .map(Standing.Ended.class::cast);
  }

  /** The time until it opens by itself, if it does. */
  static Optional<String> closedFor(LeaseReading reading) {
    return closure(reading)
        .map(closure -> closure.remainingMillis(reading.atMillis()))
        .filter(OptionalLong::isPresent)
        .map(left -> Values.text(left.getAsLong()));
  }

  /** The closure that keeps the key closed now. */
  static Optional<Closure> closure(LeaseReading reading) {
    return reading.record().closure().filter(closure -> closure.isInForce(reading.atMillis()));
  }
}
