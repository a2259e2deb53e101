package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import java.time.Duration;
import java.util.Locale;

/**
 * A step was asked for that takes longer than the lease may be trusted. It is not lost: the next
 * renewal may bring enough, or the step is to be made shorter.
 */
public final class TooLittleTrustException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final Duration left;
  private final Duration asked;

  TooLittleTrustException(LeaseKey key, Duration left, Duration asked) {
    super(
        "the lease on "
            + key
            + " is held, but only "
            + seconds(left)
            + " of trust are left, and "
            + seconds(asked)
            + " are asked for");
    this.left = left;
    this.asked = asked;
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%d.%03d s", duration.toSeconds(), duration.toMillisPart());
  }

  public Duration left() {
    return left;
  }

  public Duration asked() {
    return asked;
  }
}
