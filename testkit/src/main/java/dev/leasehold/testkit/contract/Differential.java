package dev.leasehold.testkit.contract;

import dev.leasehold.testkit.contract.Trial.Mismatch;
import dev.leasehold.testkit.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Drives a store and the model with the same random steps, and shows the shortest way found to make
 * them differ. The contract suite does this for a few seeds; by hand it can be done for many.
 */
public final class Differential {
  /** For a store that takes its time to open, fewer may have to do. */
  private static final int SHRINKING_ATTEMPTS =
      Integer.getInteger("leasehold.contract.shrinking", 3_000);

  private final LongFunction<StoreUnderTest> open;
  private final long startMillis;

  /** A finding that is not yet shrunk. */
  private record Finding(List<Step> steps, Mismatch mismatch) {}

  private Differential(LongFunction<StoreUnderTest> open) {
    this.open = open;
    this.startMillis = ContractGroup.START;
  }

  /**
   * Runs so many steps from a seed, on a store of its own.
   *
   * @param open opens a fresh store whose clock shows that time; called again while shrinking
   */
  public static Optional<Difference> firstDifference(
      LongFunction<StoreUnderTest> open, Seed seed, int steps) {
    Differential differential = new Differential(open);
    return differential.generate(seed, steps).map(found -> differential.shrink(seed, found));
  }

  private Optional<Finding> generate(Seed seed, int count) {
    List<Step> steps = new ArrayList<>();
    try (Trial trial = new Trial(open.apply(startMillis), startMillis)) {
      StepGenerator generator = new StepGenerator(seed.random(), trial.model(), startMillis);
      while (steps.size() < count) {
        Step step = generator.next();
        steps.add(step);
        trial.take(step);
      }
      return Optional.empty();
    } catch (Mismatch mismatch) {
      return Optional.of(new Finding(steps, mismatch));
    }
  }

  /** What does not show again took more than these steps: it is told as it was seen, at once. */
  private Difference shrink(Seed seed, Finding found) {
    Optional<Finding> again = replay(found.steps());
    if (again.isEmpty()) {
      return difference(seed, found, found);
    }
    Shrinker shrinker = new Shrinker(steps -> replay(steps).isPresent(), SHRINKING_ATTEMPTS);
    List<Step> fewest = shrinker.shrink(again.get().steps());
    return difference(seed, found, replay(fewest).orElse(found));
  }

  private Difference difference(Seed seed, Finding found, Finding shown) {
    return new Difference(
        seed,
        found.steps().size(),
        Script.lines(shown.steps(), startMillis),
        shown.mismatch().what,
        shown.mismatch().expected,
        shown.mismatch().actual);
  }

  private Optional<Finding> replay(List<Step> steps) {
    try (Trial trial = new Trial(open.apply(startMillis), startMillis)) {
      for (int i = 0; i < steps.size(); i++) {
        try {
          trial.take(steps.get(i));
        } catch (Mismatch mismatch) {
          return Optional.of(new Finding(steps.subList(0, i + 1), mismatch));
        }
      }
      return Optional.empty();
    }
  }
}
