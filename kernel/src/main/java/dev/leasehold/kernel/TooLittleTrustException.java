package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import java.time.Duration;
import java.util.Locale;

/**
 * The caller asked for a step that takes longer than it may trust the lease. The lease is not lost:
 * the next renewal may extend the trust enough, or the caller makes the step shorter.
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
