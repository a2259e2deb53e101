package dev.leasehold.testkit.suite;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A comparison in which every answer of the store is to be the reference's.
 *
 * @param open opens a store under test whose clock shows this time
 * @param reference opens the implementation that is known to be right, in the same way
 */
public record SideBySide<U extends UnderTest>(
    LongFunction<U> open, LongFunction<U> reference, StepGenerator.Factory<U> generators)
    implements Comparison<Step<U>> {
  @Override
  public Trial<Step<U>> begin(long startMillis) {
    return new Pair(startMillis);
  }

  @Override
  public int parts(Step<U> step) {
    return step.parts();
  }

  @Override
  public Step<U> without(Step<U> step, int part) {
    return step.without(part);
  }

  private final class Pair implements Trial<Step<U>> {
    private final long startMillis;
    private final U tested;
    private final U right;
    private Optional<StepGenerator<U>> generator = Optional.empty();

    Pair(long startMillis) {
      this.startMillis = startMillis;
      this.tested = open.apply(startMillis);
      this.right = reference.apply(startMillis);
    }

    @Override
    public Supplier<Step<U>> generator(SplittableRandom random) {
      StepGenerator<U> drawing = generators.create(random, startMillis);
      generator = Optional.of(drawing);
      return drawing::next;
    }

    @Override
    public void take(Step<U> step) throws Mismatch {
      Object expected = step.on(right);
      generator.ifPresent(drawing -> drawing.learn(expected));
      Mismatch.unlessEqual("the answer to " + step, expected, step.on(tested));
    }

    @Override
    public void close() {
      try {
        tested.close();
      } finally {
        right.close();
      }
    }
  }
}
