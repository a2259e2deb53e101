package dev.leasehold.kernel;

import java.util.concurrent.Executor;

/** The executor of turns. */
public final class TurnsDoor {
  private TurnsDoor() {}

  /** Turns without relief: none is needed for a few events. */
  public static Executor turns() {
    return new SerialTurns(Runnable::run);
  }
}
