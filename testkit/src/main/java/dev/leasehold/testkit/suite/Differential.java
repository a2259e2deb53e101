package dev.leasehold.testkit.suite;

import dev.leasehold.testkit.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Drives a store and its reference with the same random steps, and shows the shortest way found to
 * make them differ. {@link DifferentialContract} does this for a few seeds; a test can do it for
 * many.
 */
public final class Differential<S> {
  /** For a store that takes its time to open, fewer may have to do. */
  private static final int SHRINKING_ATTEMPTS =
      Integer.getInteger("leasehold.contract.shrinking", 3_000);

  private final Comparison<S> comparison;
  private final long startMillis;

  /** A finding that is not yet shrunk. */
  private record Finding<S>(List<S> steps, Mismatch mismatch) {}

  private Differential(Comparison<S> comparison) {
    this.comparison = comparison;
    this.startMillis = ContractGroup.START;
  }

  /** Runs so many steps from a seed on a fresh store, and on others while it shrinks them. */
  public static <S> Optional<Difference> firstDifference(
      Comparison<S> comparison, Seed seed, int steps) {
    Differential<S> differential = new Differential<>(comparison);
    return differential.generate(seed, steps).map(found -> differential.shrink(seed, found));
  }

  private Optional<Finding<S>> generate(Seed seed, int count) {
    List<S> steps = new ArrayList<>();
    try (Trial<S> trial = comparison.begin(startMillis)) {
      Supplier<S> generator = trial.generator(seed.random());
      while (steps.size() < count) {
        S step = generator.get();
        steps.add(step);
        take(trial, step);
      }
      return Optional.empty();
    } catch (Mismatch mismatch) {
      return Optional.of(new Finding<>(steps, mismatch));
    }
  }

  private static <S> void take(Trial<S> trial, S step) throws Mismatch {
    try {
      trial.take(step);
    } catch (AssertionError | RuntimeException e) {
      throw new Mismatch("the store failed", "an answer", e + ", " + e.getCause());
    }
  }

  /** What does not show again took more than these steps: it is told as it was seen, at once. */
  private Difference shrink(Seed seed, Finding<S> found) {
    Optional<Finding<S>> again = replay(found.steps());
    if (again.isEmpty()) {
      return difference(seed, found, found);
    }
    Shrinker<S> shrinker =
        new Shrinker<>(comparison, steps -> replay(steps).isPresent(), SHRINKING_ATTEMPTS);
    List<S> fewest = shrinker.shrink(again.get().steps());
    return difference(seed, found, replay(fewest).orElse(found));
  }

  private Difference difference(Seed seed, Finding<S> found, Finding<S> shown) {
    return new Difference(
        seed,
        found.steps().size(),
        comparison.lines(shown.steps(), startMillis),
        shown.mismatch().what,
        shown.mismatch().expected,
        shown.mismatch().actual);
  }

  private Optional<Finding<S>> replay(List<S> steps) {
    try (Trial<S> trial = comparison.begin(startMillis)) {
      for (int i = 0; i < steps.size(); i++) {
        try {
          take(trial, steps.get(i));
        } catch (Mismatch mismatch) {
          return Optional.of(new Finding<>(steps.subList(0, i + 1), mismatch));
        }
      }
      return Optional.empty();
    }
  }
}
