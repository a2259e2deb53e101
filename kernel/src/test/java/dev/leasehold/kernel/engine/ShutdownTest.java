package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.KEY;
import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.held;
import static dev.leasehold.kernel.engine.Desk.token;
import static dev.leasehold.kernel.engine.Desk.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work is told to stop, then interrupted, and a lease is given back only once it has ended. */
class ShutdownTest {
  private final Desk desk = new Desk();

  @Test
  void whoHoldsNothingIsDoneAtOnce() {
    assertThat(desk.shutDown()).containsExactly("done");
  }

  @Test
  void theWorkIsToldThenInterruptedThenItsLeaseIsGivenBack() {
    Desk.Caller caller = desk.holding();
    List<String> done = desk.shutDown();
    assertThat(caller.endings).isEqualTo(1);
    assertThat(caller.losses).isEmpty();
    assertThat(desk.trustMillis(caller)).as("it is still held").isPositive();

    desk.world.advance(Desk.GRACE);
    assertThat(caller.losses).containsExactly(new LossReason.Released());
    assertThat(desk.commands.isQuiet()).as("its work still runs").isTrue();

    desk.release(caller);
    assertThat(desk.commands.last().verbs()).containsExactly("Release");
    assertThat(done).isEmpty();
    desk.commands.last().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  @Test
  void workThatEndsInItsGraceIsNotInterrupted() {
    Desk.Caller caller = desk.holding();
    List<String> done = desk.shutDown();
    desk.release(caller);
    desk.commands.next().answer(new Outcome.Released());

    assertThat(done).containsExactly("done");
    desk.world.advance(Desk.GRACE.multipliedBy(3));
    assertThat(caller.losses).isEmpty();
  }

  @Test
  void workThatDoesNotEndKeepsItsLeaseUntilItRunsOut() {
    Desk.Caller caller = desk.holding();
    List<String> done = desk.shutDown();
    desk.world.advance(Desk.GRACE.multipliedBy(2));

    assertThat(done).containsExactly("done");
    assertThat(caller.losses).hasSize(1);
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void leasesAreRenewedWhileTheirWorkWindsDown() {
    Wanted slow = wanted(KEY, Duration.ofMillis(TTL), Duration.ofSeconds(15));
    Desk.Caller caller = desk.holding(slow, token(1));
    desk.shutDown();
    desk.world.advanceMillis(10_000);

    desk.renewals.next().answerAll(new Outcome.Renewed(TTL));
    assertThat(caller.losses).isEmpty();
    assertThat(desk.trustMillis(caller)).isEqualTo(Desk.TRUST);
  }

  @Test
  void whoWaitsIsCancelledAndNobodyAsksAnyMore() {
    Desk.Caller first = desk.acquire(Duration.ofMinutes(1));
    Desk.Caller second = desk.acquire(Duration.ofMinutes(1));
    desk.commands.next().answer(held(TTL));
    desk.shutDown();

    assertThat(first.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(second.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(desk.tryAcquire().verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(desk.commands.isQuiet()).isTrue();
    assertThat(desk.watched).isEmpty();
  }

  @Test
  void whatMayHaveBeenGrantedIsGivenBackBeforeItIsDone() {
    desk.acquire(Duration.ofMinutes(1));
    ScriptedWire.Sent acquire = desk.commands.next();
    List<String> done = desk.shutDown();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), TTL));

    assertThat(done).isEmpty();
    assertThat(desk.commands.last().verbs()).containsExactly("Abandon");
    desk.commands.last().answer(new Outcome.Abandoned());
    assertThat(done).containsExactly("done");
  }

  @Test
  void aStoreThatIsGoneIsNotWaitedForLong() {
    Desk.Caller caller = desk.holding(wanted(KEY, Duration.ofHours(1), Desk.GRACE), token(1));
    List<String> done = desk.shutDown();
    desk.release(caller);
    desk.world.advance(Duration.ofSeconds(9));
    assertThat(done).isEmpty();

    desk.world.advance(Duration.ofSeconds(1));
    assertThat(done).containsExactly("done");
  }

  @Test
  void endingTwiceEndsOnce() {
    Desk.Caller caller = desk.holding();
    List<String> first = desk.shutDown();
    List<String> second = desk.shutDown();
    desk.release(caller);
    desk.commands.next().answer(new Outcome.Released());

    assertThat(first).containsExactly("done");
    assertThat(second).containsExactly("done");
    assertThat(desk.shutDown()).containsExactly("done");
    assertThat(caller.endings).isEqualTo(1);
  }

  @Test
  void whatIsInheritedMeanwhileIsGivenBack() {
    Desk.Caller heir = desk.inherit(token(2));
    List<String> done = desk.shutDown();
    desk.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(desk.commands.last().verbs()).containsExactly("Release");
    desk.commands.last().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  /** No lease expires meanwhile, so there is time for both. */
  @Test
  void workWithoutAGraceIsToldBeforeItIsInterruptedAndInterruptedBeforeItIsLeft() {
    Wanted hasty = wanted(KEY, Duration.ofMillis(TTL), Duration.ZERO);
    Desk.Caller caller = desk.holding(hasty, token(1));
    List<String> done = desk.shutDown();
    assertThat(caller.endings).isEqualTo(1);
    desk.world.advanceMillis(999);
    assertThat(caller.losses).isEmpty();
    desk.world.advanceMillis(1);
    assertThat(caller.losses).containsExactly(new LossReason.Released());
    desk.world.advanceMillis(999);
    assertThat(done).isEmpty();

    desk.release(caller);
    desk.commands.next().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  @Test
  void eachLeaseHasItsOwnGrace() {
    Desk.Caller hasty = desk.holding();
    LeaseKey other = LeaseKey.of("lock", "other");
    Desk.Caller slow =
        desk.holding(wanted(other, Duration.ofMillis(TTL), Duration.ofSeconds(9)), token(1));
    List<String> done = desk.shutDown();
    desk.world.advance(Desk.GRACE.multipliedBy(2));

    assertThat(hasty.losses).hasSize(1);
    assertThat(slow.losses).isEmpty();
    assertThat(done).isEmpty();
  }
}
