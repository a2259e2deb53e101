package dev.leasehold.kernel.memory;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static dev.leasehold.kernel.Actor.CLEO;
import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.Actor.TTL;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.INCARNATION;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.START;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.acquire;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.key;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.now;
import static dev.leasehold.kernel.memory.MemoryStoreFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What the memory store adds to the rules: batches, reading, advancing, suspicion, closing. */
class MemoryLeaseStoreTest {
  private final MemoryStoreFixture fixture = new MemoryStoreFixture();

  @Test
  void commandsOnOneKeyTakeEffectInTheOrderGiven() {
    List<Outcome> outcomes =
        fixture.send(
            ANNA.acquire("r1"),
            ANNA.release(token(1), "r2"),
            BEN.acquire("r3"),
            ANNA.renew(token(1)),
            BEN.renew(token(2)));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Released());
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(3)).isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(outcomes.get(4)).isEqualTo(new Outcome.Renewed(TTL));
  }

  @Test
  void aRejectedCommandSpoilsNoOtherCommand() {
    List<Outcome> outcomes =
        fixture.send(
            acquire(ANNA, key("a")), ANNA.acquire("r1", ANNA.terms(199)), acquire(BEN, key("b")));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(1))
        .isEqualTo(
            new Outcome.Rejected(
                "ttl of 199 ms is too short: this store needs at least 200 ms"
                    + " (200 ms, or 4 times its clock skew bound of 50 ms)"));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Granted.class);
    assertThat(fixture.record(KEY)).isEmpty();
  }

  @Test
  void anEmptyBatchHasNoOutcomes() {
    assertThat(fixture.send()).isEmpty();
  }

  @Test
  void aStallIsEndedInTheSameStep() {
    Token token =
        fixture.grant(ANNA.acquire("r1", ANNA.terms(TTL).withStallLimit(new StallLimit(1_000))));
    fixture.pass(1_000);

    assertThat(fixture.sendOne(ANNA.renew(token)))
        .isEqualTo(new Outcome.Lost(new LossReason.Stalled()));
    assertThat(fixture.record(KEY).orElseThrow().last()).isEqualTo(token(2));
    assertThat(fixture.record(KEY).orElseThrow().currentGrant()).isEmpty();
  }

  @Test
  void aReadingHasTheRecordAndTheStoresTime() {
    fixture.grant(ANNA, KEY);
    fixture.pass(1_000);

    LeaseReading reading = now(fixture.store.read(KEY)).orElseThrow();
    assertThat(reading.atMillis()).isEqualTo(START + 1_000);
    assertThat(reading.record().currentGrant()).isPresent();
    assertThat(now(fixture.store.read(key("never-seen")))).isEmpty();
  }

  @Test
  void theTimeOfAReadingNeverGoesBehindTheRecord() {
    fixture.grant(ANNA, KEY);
    fixture.pass(-1_000);

    assertThat(now(fixture.store.read(KEY)).orElseThrow().atMillis()).isEqualTo(START);
  }

  @Test
  void anAdvanceEndsEveryGrantAndHoldsOffForTheGreatestTtl() {
    Token old = fixture.grant(ANNA.acquire("r1", ANNA.terms(45_000)));
    fixture.grant(BEN, key("b"));

    assertThat(now(fixture.store.advance(Advance.above(500))))
        .isEqualTo(new Advance.Advanced(501, 45_000));
    assertThat(fixture.sendOne(ANNA.renew(old)))
        .isEqualTo(new Outcome.Lost(new LossReason.IncarnationAdvanced()));
    assertThat(fixture.sendOne(CLEO.acquire("r2"))).isInstanceOf(Outcome.Closed.class);
    fixture.pass(45_000);
    assertThat(fixture.grant(CLEO.acquire("r2"))).isEqualTo(Token.of(501, 2));
  }

  @Test
  void anAdvanceHoldsOffForAsLongAsAHolderWasToldBeforeAShorterRenewal() {
    Token token = fixture.grant(ANNA.acquire("r1", ANNA.terms(3_600_000)));
    fixture.sendOne(ANNA.renewFor(token, 1_000));

    assertThat(now(fixture.store.advance(Advance.above(0))))
        .isEqualTo(new Advance.Advanced(INCARNATION + 1, 3_600_000));
  }

  @Test
  void anAdvanceOfAnEmptyStoreHoldsOffForHalfAMinute() {
    assertThat(now(fixture.store.advance(Advance.above(0))))
        .isEqualTo(new Advance.Advanced(INCARNATION + 1, 30_000));
  }

  @Test
  void readersSeeWhatAnAdvanceHasEnded() {
    fixture.grant(ANNA, KEY);
    now(fixture.store.advance(Advance.above(500)));
    Standing ended = new Standing.Ended(new LossReason.IncarnationAdvanced(), START);

    assertThat(fixture.record(KEY).orElseThrow().grant().orElseThrow().standing()).isEqualTo(ended);
    assertThat(now(fixture.store.list(ListQuery.all(""))).items())
        .allSatisfy(item -> assertThat(item.record().currentGrant()).isEmpty());
  }

  @Test
  void aTokenThatWasNeverIssuedIsCountedAndListed() {
    fixture.grant(ANNA, KEY);
    fixture.pass(5);
    fixture.sendOne(ANNA.renew(token(7)));
    fixture.sendOne(ANNA.release(token(1), "r2"));

    assertThat(now(fixture.store.suspectedRollbacks()))
        .isEqualTo(
            new SuspectedRollbacks(
                1, List.of(new SuspectedRollbacks.Case(KEY, token(7), token(1), START + 5))));
  }

  @Test
  void withoutARecordItIsComparedWithTheBucketsFloor() {
    fixture.sendOne(ANNA.renew(token(7)));

    assertThat(now(fixture.store.suspectedRollbacks()).latest())
        .containsExactly(new SuspectedRollbacks.Case(KEY, token(7), token(0), START));
  }

  @Test
  void suspicionsAreAllCountedAndTheLast100Listed() {
    for (int i = 1; i <= 101; i++) {
      fixture.sendOne(ANNA.renew(token(i)));
    }

    SuspectedRollbacks suspected = now(fixture.store.suspectedRollbacks());
    assertThat(suspected.count()).isEqualTo(101);
    assertThat(suspected.latest()).hasSize(100);
    assertThat(suspected.latest().getFirst().brought()).isEqualTo(token(101));
    assertThat(suspected.latest().getLast().brought()).isEqualTo(token(2));
  }

  @Test
  void itSaysWhichBoundsItDecidesWith() {
    assertThat(fixture.store.limits()).isEqualTo(Limits.SINGLE_NODE);
  }

  @Test
  void aClosedStoreSaysSoToEveryCaller() {
    fixture.store.close();

    List<CompletionStage<?>> answers =
        List.of(
            fixture.store.apply(List.of(ANNA.acquire("r1"))),
            fixture.store.read(KEY),
            fixture.store.list(ListQuery.all("")),
            fixture.store.purge(new PurgeQuery(0, 1)),
            fixture.store.advance(Advance.above(0)));
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer.toCompletableFuture())
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(IllegalStateException.class)
                    .withMessage("the memory store is closed, and its leases went with it"));
  }
}
