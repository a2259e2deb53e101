package dev.leasehold.kernel.engine;

import java.util.random.RandomGenerator;

/** Jitter that a test chooses: always the least, the most, or any part of what is possible. */
final class Dice implements RandomGenerator {
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

  /** For ids: each is another one. */
  @Override
  public long nextLong() {
    return ++drawn;
  }

  @Override
  public long nextLong(long bound) {
    return (long) ((bound - 1) * part);
  }
}
