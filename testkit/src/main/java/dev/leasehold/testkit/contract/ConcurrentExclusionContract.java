package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Await;
import dev.leasehold.testkit.suite.ContractPart;
import dev.leasehold.testkit.suite.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Many threads on a few keys of one store. Everything they ask and are told is recorded, and judged
 * afterwards: no token is granted twice, tokens follow real time, repeats agree, what has ended
 * does not come back, and no grant begins before the one before it is over.
 *
 * <p>The seed decides what each thread does, but not how the threads are scheduled: a failure may
 * need several runs to be seen again. The clock is set while commands are in flight.
 */
abstract class ConcurrentExclusionContract extends ContractPart<StoreUnderTest> {
  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final int ROUNDS = 100;
  private static final int COMMANDS_PER_ROUND = 5;
  private static final int MAX_STEP_MILLIS = 1_500;
  private static final int SECTIONS_EACH = 20;
  private static final int ATTEMPTS_EACH = 50_000;

  @Test
  void theHistoryOfManyThreadsIsInOrderWhileTheClockMovesOn() {
    Seed seed = Seed.forTest("concurrent exclusion");
    List<LeaseKey> keys =
        List.of(
            LeaseKey.of("lock", "a"),
            LeaseKey.of("lock", "b"),
            LeaseKey.of("lock", "c"),
            LeaseKey.of("lock", "d"));
    try (StoreUnderTest subject = open(START_MILLIS)) {
      RaceFixture fixture = new RaceFixture(subject, START_MILLIS);
      List<Runnable> tasks = new ArrayList<>();
      for (RacingCaller contender : fixture.gather(seed, keys)) {
        tasks.add(() -> contender.act(COMMANDS_PER_ROUND));
      }
      tasks.add(new ClockMover(fixture, keys, seed.nth(RaceFixture.THREADS).random()));
      Rounds.run(tasks, ROUNDS, () -> fixture.look(keys));
      CheckResult verdict = fixture.verdict();
      assertThat(verdict.count()).as("%s: %s", seed, verdict).isZero();
      verdict.tally().requireAtLeast(Count.GRANTS, 20);
      verdict.tally().requireAtLeast(Count.REFUSALS, 20);
      verdict.tally().requireAtLeast(Count.RETRIES, 20);
      verdict.tally().requireAtLeast(Count.TAKEOVERS, 1);
    }
  }

  /**
   * Moves the clock forward, mostly over the very moment at which a grant expires and while others
   * renew and acquire, and now and then takes a key away from its holder.
   */
  private static final class ClockMover implements Runnable {
    private final RaceFixture fixture;
    private final LeaseStore operators;
    private final List<LeaseKey> keys;
    private final SplittableRandom random;

    ClockMover(RaceFixture fixture, List<LeaseKey> keys, SplittableRandom random) {
      this.fixture = fixture;
      this.operators = fixture.handlesFor("operator").getFirst();
      this.keys = keys;
      this.random = random;
    }

    @Override
    public void run() {
      LeaseKey key = keys.get(random.nextInt(keys.size()));
      OptionalLong expiry = random.nextInt(3) == 0 ? OptionalLong.empty() : expiryOf(key);
      if (expiry.isPresent()) {
        for (long around = expiry.getAsLong() - 1; around <= expiry.getAsLong() + 1; around++) {
          fixture.setClock(Math.max(around, fixture.now()));
          RaceFixture.letOthersRun();
        }
      } else {
        fixture.pass(random.nextInt(MAX_STEP_MILLIS));
      }
      if (random.nextInt(15) == 0) {
        revoke(key);
      }
    }

    private OptionalLong expiryOf(LeaseKey key) {
      return fixture.recordOf(key).flatMap(LeaseRecord::currentGrant).stream()
          .mapToLong(Grant::expiresAtMillis)
          .filter(expiresAtMillis -> expiresAtMillis > fixture.now())
          .findAny();
    }

    private void revoke(LeaseKey key) {
      Command revoke =
          new Command.Revoke(
              key,
              new Operator("clock"),
              new Explanation("to see what holders do"),
              random.nextBoolean() ? Command.Reopening.NOW : Command.Reopening.AT_EXPIRY,
              RequestId.random());
      Await.answer(operators.apply(List.of(revoke)));
    }
  }

  @Test
  void withAStandingClockThereIsOneHolderAtATime() {
    Seed seed = Seed.forTest("exclusion with a standing clock");
    LeaseKey key = LeaseKey.of("lock", "counter");
    try (StoreUnderTest subject = open(START_MILLIS)) {
      RaceFixture fixture = new RaceFixture(subject, START_MILLIS);
      Counter counter = new Counter();
      AtomicInteger sections = new AtomicInteger();
      List<Runnable> tasks = new ArrayList<>();
      for (RacingCaller contender : fixture.gather(seed, List.of(key))) {
        tasks.add(() -> sections.addAndGet(count(fixture, contender, key, counter)));
      }
      Rounds.run(tasks, 1, () -> fixture.look(List.of(key)));
      fixture.requireInOrder(seed);
      assertThat(counter.value)
          .as("%s: increments of holders that should have been alone", seed)
          .isEqualTo(sections.get());
      assertThat(sections.get()).isGreaterThanOrEqualTo(SECTIONS_EACH);
    }
  }

  /** Counts while it holds the lease, and gives up when it is hardly ever its turn. */
  private static int count(
      RaceFixture fixture, RacingCaller contender, LeaseKey key, Counter counter) {
    int done = 0;
    for (int i = 0; i < ATTEMPTS_EACH && done < SECTIONS_EACH; i++) {
      Optional<Token> token = contender.tryAcquire(key);
      if (token.isEmpty()) {
        RaceFixture.letOthersRun();
        continue;
      }
      counter.increment();
      if (!fixture.change(key, token.get())) {
        throw new AssertionError("a holder found a higher token than its own: " + token.get());
      }
      done++;
      contender.release(key, token.get());
    }
    return done;
  }

  /** Loses increments unless the lease keeps its threads apart. */
  private static final class Counter {
    // Volatile, so that only exclusion is asked of the store, and not that it orders memory.
    private volatile int value;

    void increment() {
      int seen = value;
      RaceFixture.letOthersRun();
      value = seen + 1;
    }
  }
}
