package dev.leasehold.testkit.suite;

import java.util.SplittableRandom;

/** Draws steps from a seed, and learns from what the reference answers. */
public interface StepGenerator<U extends UnderTest> {
  Step<U> next();

  /** Is told the reference's answer to each step, before the next is drawn. */
  void learn(Object answer);

  /** Makes a generator. */
  interface Factory<U extends UnderTest> {
    StepGenerator<U> create(SplittableRandom random, long startMillis);
  }
}
