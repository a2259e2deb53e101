package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ttl a store keeps: it never alters one, and says why it refuses one. */
class TtlRulesTest {
  private static final long DAY = 86_400_000;
  private static final String TOO_SHORT =
      "ttl of 199 ms is too short: this store needs at least 200 ms"
          + " (200 ms, or 4 times its clock skew bound of 50 ms)";
  private static final String TOO_LONG =
      "ttl of 86400001 ms is too long: at most 24 h (86400000 ms)";

  private final OneKey key = new OneKey();

  @ParameterizedTest
  @ValueSource(longs = {200, DAY})
  void theBoundsThemselvesAreKept(long ttlMillis) {
    key.grant(ANNA, ttlMillis);

    assertThat(key.grant().terms().ttlMillis()).isEqualTo(ttlMillis);
  }

  @Test
  void anAcquireWithATtlOutOfBoundsIsIllFormed() {
    assertThatThrownBy(() -> key.grant(ANNA, 199))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(TOO_SHORT);
    assertThatThrownBy(() -> key.grant(ANNA, DAY + 1))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(TOO_LONG);
  }

  @Test
  void aRenewalWithATtlOutOfBoundsIsIllFormed() {
    Token token = key.grant(ANNA);

    assertThatThrownBy(() -> key.send(ANNA.renewFor(token, 199)))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(TOO_SHORT);
    assertThatThrownBy(() -> key.send(ANNA.renewFor(token, DAY + 1)))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(TOO_LONG);
  }

  @Test
  void aTtlMustSpanFourSkewBounds() {
    OneKey loose = new OneKey(new Limits(500, Limits.MIN_MEMORY_MILLIS, 8));

    assertThatThrownBy(() -> loose.grant(ANNA, 1_999))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "ttl of 1999 ms is too short: this store needs at least 2000 ms"
                + " (200 ms, or 4 times its clock skew bound of 500 ms)");
    loose.grant(ANNA, 2_000);
  }
}
