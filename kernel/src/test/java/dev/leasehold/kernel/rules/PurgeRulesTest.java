package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.rules.OneKey.revoke;
import static dev.leasehold.kernel.rules.OneKey.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/** When a key can be purged, and what is kept of it. */
class PurgeRulesTest {
  private static final long MEMORY = Limits.MIN_MEMORY_MILLIS;
  private static final long LONG_TTL = 3_600_000;

  private final OneKey key = new OneKey();

  private Outcome purge(long deadForMillis) {
    return key.send(new Command.Purge(KEY, deadForMillis));
  }

  /**
   * Asserts that the key is kept until this time from now, and purged at exactly that millisecond.
   */
  private void assertPurgedAfter(long millis, Token floor) {
    key.pass(millis - 1);
    assertThat(purge(0)).isEqualTo(new Outcome.Kept());
    key.assertNothingWritten();
    key.pass(1);
    assertThat(purge(0)).isEqualTo(new Outcome.Purged(floor));
    assertThat(key.last().effect()).isEqualTo(new Decision.Delete(floor));
  }

  @Test
  void aReleasedKeyIsKeptAsLongAsItsRequestsMayBeRepeated() {
    key.send(ANNA.release(key.grant(ANNA), "r2"));

    assertPurgedAfter(MEMORY, token(1));
  }

  @Test
  void aGrantCountsUntilItExpiresEvenIfNoGrantFollows() {
    key.grant(ANNA);

    assertPurgedAfter(TTL + MEMORY, token(1));
  }

  @Test
  void aGrantThatWasFoundExpiredCountsFromThen() {
    Token token = key.grant(ANNA);
    key.pass(2 * TTL);
    key.send(ANNA.renew(token));

    assertPurgedAfter(MEMORY, token);
  }

  @Test
  void aReleasedGrantDoesNotCountUntilItWouldHaveExpired() {
    key.send(ANNA.release(key.grant(ANNA, LONG_TTL), "r2"));

    assertPurgedAfter(MEMORY, token(1));
  }

  /**
   * An advance notifies no holder, so the former holder still trusts its lease, and must find the
   * reason of its end.
   */
  @Test
  void aGrantOfBeforeAnAdvanceCountsUntilItWouldHaveExpired() {
    key.grant(ANNA, LONG_TTL);
    key.advanceTo(OneKey.INCARNATION + 1, 0);

    assertPurgedAfter(LONG_TTL + MEMORY, token(1));
  }

  @Test
  void aGrantThatWasWrittenDownAsEndedByAnAdvanceCountsJustAsLong() {
    key.grant(ANNA, LONG_TTL);
    key.advanceTo(OneKey.INCARNATION + 1, 0);
    key.pass(1);
    key.send(BEN.abandon("r2"));
    assertThat(LeaseRules.endOf(key.grant())).contains(new LossReason.IncarnationAdvanced());

    assertPurgedAfter(LONG_TTL - 1 + MEMORY, token(1));
  }

  @Test
  void aGrantThatWasReleasedBeforeAnAdvanceDoesNotCount() {
    key.send(ANNA.release(key.grant(ANNA, LONG_TTL), "r2"));
    key.advanceTo(OneKey.INCARNATION + 1, 0);

    assertPurgedAfter(MEMORY, token(1));
  }

  @Test
  void aTimedClosureCountsUntilItIsOver() {
    key.grant(ANNA, LONG_TTL);
    key.pass(LONG_TTL / 2);
    key.send(ANNA.renewFor(token(1), 200));
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));

    assertPurgedAfter(LONG_TTL / 2 + MEMORY, token(2));
  }

  @Test
  void aBarCountsUntilItIsOver() {
    key.grant(ANNA, LONG_TTL);
    key.pass(LONG_TTL / 2);
    key.send(revoke(Reopening.NOW, "r2"));

    assertPurgedAfter(LONG_TTL + MEMORY, token(2));
  }

  @Test
  void whatIsOverDoesNotMakeALaterWriteOlder() {
    key.grant(ANNA);
    key.send(revoke(Reopening.AT_EXPIRY, "r2"));
    key.pass(2 * TTL);
    key.send(ANNA.abandon("r3"));

    assertPurgedAfter(MEMORY, token(2));
  }

  @Test
  void aKeyClosedUntilAnOperatorActsIsKeptForEver() {
    key.send(revoke(Reopening.BY_OPERATOR, "r1"));
    key.pass(1_000 * MEMORY);

    assertThat(purge(0)).isEqualTo(new Outcome.Kept());
  }

  @Test
  void aTombstoneIsKeptAsLongAsItMayBeNeeded() {
    key.send(ANNA.abandon("r1"));

    assertPurgedAfter(MEMORY, token(0));
  }

  @Test
  void aLongerQuietTimeCanBeAskedFor() {
    key.send(ANNA.release(key.grant(ANNA), "r2"));
    key.pass(2 * MEMORY - 1);
    assertThat(purge(2 * MEMORY)).isEqualTo(new Outcome.Kept());
    key.pass(1);

    assertThat(purge(2 * MEMORY)).isEqualTo(new Outcome.Purged(token(1)));
  }

  @Test
  void aStoreThatRemembersForLongerKeepsForLonger() {
    OneKey patient = new OneKey(new Limits(50, 3 * MEMORY, 8));
    patient.send(ANNA.abandon("r1"));
    patient.pass(3 * MEMORY - 1);
    assertThat(patient.send(new Command.Purge(KEY, 0))).isEqualTo(new Outcome.Kept());
    patient.pass(1);

    assertThat(patient.send(new Command.Purge(KEY, 0))).isEqualTo(new Outcome.Purged(token(0)));
  }

  @Test
  void aKeyWithoutARecordHasNothingToPurge() {
    assertThat(purge(0)).isEqualTo(new Outcome.Kept());
    key.assertNothingWritten();
  }

  @Test
  void theFloorIsTheHighestNumberIssuedVoidOnesIncluded() {
    key.grant(ANNA);
    key.send(revoke(Reopening.NOW, "r2"));
    key.pass(TTL + MEMORY);

    assertThat(purge(0)).isEqualTo(new Outcome.Purged(token(2)));
    assertThat(key.grant(ANNA)).isEqualTo(token(3));
  }

  @Test
  void aClockSteppedBackKeepsTheKey() {
    key.send(ANNA.release(key.grant(ANNA), "r2"));
    key.stepClockBack(MEMORY);

    assertPurgedAfter(2 * MEMORY, token(1));
  }
}
