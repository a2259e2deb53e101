package dev.leasehold.testkit.suite;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A fresh store and a fresh reference side by side, given the same steps. */
public interface Trial<S> extends AutoCloseable {
  /** Draws steps; it may look at the reference, so that most of what it draws makes sense. */
  Supplier<S> generator(SplittableRandom random);

  /** Does the step to both. A store that throws differs too. */
  void take(S step) throws Mismatch;

  @Override
  void close();
}
