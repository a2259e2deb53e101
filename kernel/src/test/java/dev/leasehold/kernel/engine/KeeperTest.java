package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.KEY;
import static dev.leasehold.kernel.engine.Desk.TRUST;
import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.token;
import static dev.leasehold.kernel.engine.Desk.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** I6, I9 and I12 in one process: what is renewed when, and when it is over. */
class KeeperTest {
  private static final Outcome RENEWED = new Outcome.Renewed(TTL);

  private final Desk desk = new Desk();

  /** The answer to the first attempt was lost; the repeat finds most of the time gone. */
  @Test
  void aGrantWithLittleLeftIsRenewedAtOnce() {
    Desk.Caller caller = desk.tryAcquire();
    ScriptedWire.Sent acquire = desk.commands.next();

    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 8_000));
    desk.world.advanceMillis(1);

    assertThat(desk.renewals.next().only()).isInstanceOf(Command.Renew.class);
    assertThat(caller.endings).isZero();
    desk.renewals.last().answerAll(RENEWED);
    desk.world.advanceMillis(9_000);
    assertThat(caller.losses).isEmpty();
    assertThat(caller.endings).isZero();
  }

  /** A listener that fails is not to cost the next lease its life. */
  @Test
  void aListenerThatFailsTakesNoOtherLeaseWithIt() {
    List<LossReason> losses = new ArrayList<>();
    Desk.Caller good = new Desk.Caller();
    HeldLease.Listener failing =
        new HeldLease.Listener() {
          @Override
          public void ending() {
            throw new IllegalStateException("planted, while told that it ends");
          }

          @Override
          public void lost(LossReason reason) {
            losses.add(reason);
            throw new IllegalStateException("planted, while told that it is lost");
          }
        };
    LeaseKey other = LeaseKey.of("lock", "other");
    desk.world.event(
        () -> {
          desk.holdings.tryAcquire(wanted(), verdict -> {}, failing);
          desk.holdings.tryAcquire(wanted(other), good, good);
        });
    ScriptedWire.Sent acquires = desk.commands.next();
    acquires.answer(
        ScriptedWire.granted(acquires.batch().get(0), token(1), TTL),
        ScriptedWire.granted(acquires.batch().get(1), token(1), TTL));

    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent first = desk.renewals.next();
    assertThat(first.keys()).containsExactly(KEY, other);
    first.answer(new Outcome.Lost(new LossReason.Expired()), RENEWED);
    desk.world.advanceMillis(10_000);

    assertThat(losses).containsExactly(new LossReason.Expired());
    assertThat(desk.renewals.next().keys()).containsExactly(other);
    assertThat(desk.trustMillis(good)).isEqualTo(TRUST - 10_000);
  }

  /** Told once that it may not be trusted, a user must not find it trusted again. */
  @Test
  void aLeaseWhoseTrustHasRunOutIsLostEvenIfARenewalIsAnsweredThen() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(26_000);
    ScriptedWire.Sent renewal = desk.renewals.last();
    desk.world.pause(Duration.ofSeconds(2));
    assertThat(desk.trustMillis(caller)).isZero();

    renewal.answerAll(RENEWED);

    assertThat(desk.trustMillis(caller)).isZero();
    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
  }
}
