package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps what a watch tells, and lets a test wait for it: ten seconds, or as many as {@code
 * -Dleasehold.contract.hintSeconds} says.
 */
final class HintRecorder implements ChangeListener<LeaseChange> {
  private static final int WITHIN_SECONDS = 10;

  private final List<LeaseChange> told = new ArrayList<>();
  private final Semaphore events = new Semaphore(0);
  private int resets;

  @Override
  public synchronized void changed(LeaseChange change) {
    told.add(change);
    events.release();
  }

  @Override
  public synchronized void reset() {
    resets++;
    events.release();
  }

  synchronized List<LeaseChange> told() {
    return List.copyOf(told);
  }

  /** Waits for a hint; a reset will do, since whoever gets one reads again. */
  void awaitHint(Kind kind, LeaseKey key, Token token) {
    LeaseChange hint = new LeaseChange(kind, key, token);
    awaitThat(() -> wasReset() || told().contains(hint), hint.toString());
  }

  void awaitReset() {
    awaitThat(this::wasReset, "a reset");
  }

  private synchronized boolean wasReset() {
    return resets > 0;
  }

  /** Asks again after each thing that is told; a store that tells nothing is given up on. */
  void awaitThat(BooleanSupplier isSo, String what) {
    int seconds = Integer.getInteger("leasehold.contract.hintSeconds", WITHIN_SECONDS);
    boolean told = true;
    while (!isSo.getAsBoolean()) {
      assertThat(told).as("waited in vain for %s, told %s", what, told()).isTrue();
      try {
        told = events.tryAcquire(seconds, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
