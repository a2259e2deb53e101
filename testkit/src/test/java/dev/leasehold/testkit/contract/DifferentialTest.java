package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ModelLeaseStore;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.Rules;
import dev.leasehold.testkit.model.StoreLog;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Difference;
import dev.leasehold.testkit.suite.Mismatch;
import dev.leasehold.testkit.time.ManualClock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DifferentialTest {
  private static final Seed SEED = new Seed(7);

  private static StoreUnderTest open(Rules rules, long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    ModelStore model = new ModelStore(rules, Limits.SINGLE_NODE, startMillis);
    return new ClockedStore(new ModelLeaseStore(model, clock), clock);
  }

  /** Says that it released, and does not. */
  private static final Rules LAZY_RELEASE =
      (state, command, clockMillis, limits) -> {
        Decision sound = Rules.sound().decide(state, command, clockMillis, limits);
        return command instanceof Command.Release && sound.effect() instanceof Decision.Put
            ? new Decision(
                sound.outcome(), new Decision.Unchanged(), Optional.empty(), Optional.empty())
            : sound;
      };

  private static Optional<Difference> find(Rules rules, Seed seed) {
    return LeaseDifferential.firstDifference(start -> open(rules, start), seed, 500);
  }

  @Test
  void one_seed_finds_and_shrinks_the_same_difference_every_time() {
    assertThat(find(LAZY_RELEASE, SEED)).isPresent().isEqualTo(find(LAZY_RELEASE, SEED));
  }

  @Test
  void a_difference_is_shrunk_to_the_few_steps_that_show_it() {
    Difference difference = find(LAZY_RELEASE, SEED).orElseThrow();
    assertThat(difference.steps()).isLessThanOrEqualTo(3);
    assertThat(difference.toString())
        .contains("acquire by")
        .contains("release ")
        .contains("expected Optional[");
  }

  @Test
  void a_store_that_fails_is_told_as_a_difference() {
    Rules failing =
        (state, command, clockMillis, limits) -> {
          if (command instanceof Command.Revoke) {
            throw new AssertionError("no connection");
          }
          return Rules.sound().decide(state, command, clockMillis, limits);
        };
    assertThat(find(failing, SEED))
        .hasValueSatisfying(found -> assertThat(found.actual()).contains("no connection"));
  }

  /** Ends a stall behind the holder's back, and has the row locked for so many renewals. */
  private static StoreUnderTest endingForLong(long startMillis, int renewals) {
    ManualClock clock = new ManualClock(startMillis);
    Map<LeaseKey, Integer> locked = new HashMap<>();
    BrokenStore store =
        new BrokenStore(clock) {
          @Override
          Outcome carryOut(Command command) {
            if (command instanceof Command.Renew && locked.getOrDefault(command.key(), 0) > 0) {
              locked.merge(command.key(), -1, Integer::sum);
              return new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "its row is locked");
            }
            Outcome sound = soundly(command);
            if (command instanceof Command.Renew
                && sound instanceof Outcome.Lost lost
                && lost.reason() instanceof LossReason.Stalled) {
              locked.put(command.key(), renewals);
            }
            return sound;
          }
        };
    return new ClockedStore(store, clock);
  }

  @Test
  void a_renewal_that_meets_the_end_of_its_stall_is_no_difference() {
    assertThat(LeaseDifferential.firstDifference(start -> endingForLong(start, 3), SEED, 2_000))
        .isEmpty();
  }

  @Test
  void a_row_that_stays_locked_is_a_difference() {
    assertThat(LeaseDifferential.firstDifference(start -> endingForLong(start, 1_000), SEED, 2_000))
        .hasValueSatisfying(found -> assertThat(found.actual()).contains("its row is locked"));
  }

  /** Random steps that never come near a rule would compare nothing. */
  @Test
  void every_answer_of_every_command_comes_up() throws Mismatch {
    Set<String> met = new HashSet<>();
    Set<Class<?>> losses = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      run(SEED.nth(i)).forEach(entry -> note(entry, met, losses));
    }
    assertThat(met).containsAll(possibleAnswers());
    Set<Class<?>> possible = new HashSet<>(List.of(LossReason.class.getPermittedSubclasses()));
    possible.remove(LossReason.Unreachable.class);
    possible.remove(LossReason.OutOfTime.class);
    possible.remove(LossReason.Broken.class);
    assertThat(losses).isEqualTo(possible);
  }

  private static Stream<StoreLog.Decided> run(Seed seed) throws Mismatch {
    long start = LeaseGroup.START;
    try (LeaseTrial trial = new LeaseTrial(open(Rules.sound(), start), start)) {
      LeaseStepGenerator generator = new LeaseStepGenerator(seed.random(), trial.model(), start);
      for (int step = 0; step < 2_000; step++) {
        trial.take(generator.next());
      }
      return trial.model().log().entries().stream()
          .filter(StoreLog.Decided.class::isInstance)
          .map(StoreLog.Decided.class::cast);
    }
  }

  private static void note(StoreLog.Decided entry, Set<String> met, Set<Class<?>> losses) {
    met.add(entry.kind().getSimpleName() + " " + entry.outcome().getClass().getSimpleName());
    if (entry.outcome() instanceof Outcome.Lost lost) {
      losses.add(lost.reason().getClass());
    }
  }

  private static Set<String> possibleAnswers() {
    Set<String> possible = new TreeSet<>();
    for (Class<?> verb : Outcome.class.getPermittedSubclasses()) {
      if (verb.isInterface()) {
        String command = verb.getSimpleName().substring("Of".length());
        Stream.of(verb.getPermittedSubclasses())
            .map(outcome -> command + " " + outcome.getSimpleName())
            .forEach(possible::add);
      }
    }
    possible.removeIf(answer -> answer.endsWith(" Failed"));
    // Only a ttl can be ill-formed.
    possible.removeIf(answer -> answer.endsWith(" Rejected"));
    possible.addAll(List.of("Acquire Rejected", "Renew Rejected"));
    return possible;
  }

  @Test
  void two_of_the_keys_share_a_bucket() {
    LeaseKey first = new LeaseKey("shard/7");
    assertThat(PurgingContract.neighbourOf(first)).isNotEqualTo(first);
  }
}
