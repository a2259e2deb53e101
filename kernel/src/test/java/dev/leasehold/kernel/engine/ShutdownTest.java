package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.held;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work is told to stop, then interrupted, and a lease is given back only once it has ended. */
class ShutdownTest {
  private final EngineFixture fixture = new EngineFixture();

  @Test
  void whoHoldsNothingIsDoneAtOnce() {
    assertThat(fixture.shutDown()).containsExactly("done");
  }

  @Test
  void theWorkIsToldThenInterruptedThenItsLeaseIsGivenBack() {
    EngineFixture.Caller caller = fixture.holding();
    List<String> done = fixture.shutDown();
    assertThat(caller.endings).isEqualTo(1);
    assertThat(caller.losses).isEmpty();
    assertThat(fixture.trustMillis(caller)).as("it is still held").isPositive();

    fixture.manual.advance(EngineFixture.GRACE);
    assertThat(caller.losses).containsExactly(new LossReason.Released());
    assertThat(fixture.commands.isQuiet()).as("its work still runs").isTrue();

    fixture.release(caller);
    assertThat(fixture.commands.last().verbs()).containsExactly("Release");
    assertThat(done).isEmpty();
    fixture.commands.last().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  @Test
  void workThatEndsInItsGraceIsNotInterrupted() {
    EngineFixture.Caller caller = fixture.holding();
    List<String> done = fixture.shutDown();
    fixture.release(caller);
    fixture.commands.next().answer(new Outcome.Released());

    assertThat(done).containsExactly("done");
    fixture.manual.advance(EngineFixture.GRACE.multipliedBy(3));
    assertThat(caller.losses).isEmpty();
  }

  @Test
  void workThatDoesNotEndKeepsItsLeaseUntilItRunsOut() {
    EngineFixture.Caller caller = fixture.holding();
    List<String> done = fixture.shutDown();
    fixture.manual.advance(EngineFixture.GRACE.multipliedBy(2));

    assertThat(done).containsExactly("done");
    assertThat(caller.losses).hasSize(1);
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void leasesAreRenewedWhileTheirWorkWindsDown() {
    AcquireRequest slow = wanted(KEY, Duration.ofMillis(TTL), Duration.ofSeconds(15));
    EngineFixture.Caller caller = fixture.holding(slow, token(1));
    fixture.shutDown();
    fixture.manual.advanceMillis(10_000);

    fixture.renewals.next().answerAll(new Outcome.Renewed(TTL));
    assertThat(caller.losses).isEmpty();
    assertThat(fixture.trustMillis(caller)).isEqualTo(EngineFixture.TRUST);
  }

  @Test
  void waitersAreCancelledAndNoCommandIsSentAnyMore() {
    EngineFixture.Caller first = fixture.acquire(Duration.ofMinutes(1));
    EngineFixture.Caller second = fixture.acquire(Duration.ofMinutes(1));
    fixture.commands.next().answer(held(TTL));
    fixture.shutDown();

    assertThat(first.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(second.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(fixture.tryAcquire().verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(fixture.commands.isQuiet()).isTrue();
    assertThat(fixture.watched).isEmpty();
  }

  @Test
  void whatMayHaveBeenGrantedIsGivenBackBeforeItIsDone() {
    fixture.acquire(Duration.ofMinutes(1));
    ScriptedWire.Sent acquire = fixture.commands.next();
    List<String> done = fixture.shutDown();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), TTL));

    assertThat(done).isEmpty();
    assertThat(fixture.commands.last().verbs()).containsExactly("Abandon");
    fixture.commands.last().answer(new Outcome.Abandoned());
    assertThat(done).containsExactly("done");
  }

  @Test
  void aStoreThatIsGoneIsNotWaitedForLong() {
    EngineFixture.Caller caller =
        fixture.holding(wanted(KEY, Duration.ofHours(1), EngineFixture.GRACE), token(1));
    List<String> done = fixture.shutDown();
    fixture.release(caller);
    fixture.manual.advance(Duration.ofSeconds(9));
    assertThat(done).isEmpty();

    fixture.manual.advance(Duration.ofSeconds(1));
    assertThat(done).containsExactly("done");
  }

  @Test
  void endingTwiceEndsOnce() {
    EngineFixture.Caller caller = fixture.holding();
    List<String> first = fixture.shutDown();
    List<String> second = fixture.shutDown();
    fixture.release(caller);
    fixture.commands.next().answer(new Outcome.Released());

    assertThat(first).containsExactly("done");
    assertThat(second).containsExactly("done");
    assertThat(fixture.shutDown()).containsExactly("done");
    assertThat(caller.endings).isEqualTo(1);
  }

  @Test
  void whatIsInheritedMeanwhileIsGivenBack() {
    EngineFixture.Caller heir = fixture.inherit(token(2));
    List<String> done = fixture.shutDown();
    fixture.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(fixture.commands.last().verbs()).containsExactly("Release");
    fixture.commands.last().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  /** No lease expires meanwhile, so there is time for both. */
  @Test
  void workWithoutAGraceIsToldBeforeItIsInterruptedAndInterruptedBeforeItIsLeft() {
    AcquireRequest hasty = wanted(KEY, Duration.ofMillis(TTL), Duration.ZERO);
    EngineFixture.Caller caller = fixture.holding(hasty, token(1));
    List<String> done = fixture.shutDown();
    assertThat(caller.endings).isEqualTo(1);
    fixture.manual.advanceMillis(999);
    assertThat(caller.losses).isEmpty();
    fixture.manual.advanceMillis(1);
    assertThat(caller.losses).containsExactly(new LossReason.Released());
    fixture.manual.advanceMillis(999);
    assertThat(done).isEmpty();

    fixture.release(caller);
    fixture.commands.next().answer(new Outcome.Released());
    assertThat(done).containsExactly("done");
  }

  @Test
  void eachLeaseHasItsOwnGrace() {
    EngineFixture.Caller hasty = fixture.holding();
    LeaseKey other = LeaseKey.of("lock", "other");
    EngineFixture.Caller slow =
        fixture.holding(wanted(other, Duration.ofMillis(TTL), Duration.ofSeconds(9)), token(1));
    List<String> done = fixture.shutDown();
    fixture.manual.advance(EngineFixture.GRACE.multipliedBy(2));

    assertThat(hasty.losses).hasSize(1);
    assertThat(slow.losses).isEmpty();
    assertThat(done).isEmpty();
  }
}
