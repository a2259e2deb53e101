package dev.leasehold.kernel.engine;

import java.util.random.RandomGenerator;

/** Jitter that a test chooses: the least, the most, or a part of the possible range. */
final class ChosenJitter implements RandomGenerator {
  private double part;
  private long drawn;

  void alwaysLeast() {
    part = 0;
  }

  void alwaysMost() {
    part = 1;
  }

  void always(double newPart) {
    part = newPart;
  }

  /** For ids, each of which must differ. */
  @Override
  public long nextLong() {
    return ++drawn;
  }

  @Override
  public long nextLong(long bound) {
    return (long) ((bound - 1) * part);
  }
}
