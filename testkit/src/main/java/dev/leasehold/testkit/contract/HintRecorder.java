package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Keeps what a watch tells, and lets a test wait for it: ten seconds, or as many as {@code
 * -Dleasehold.contract.hintSeconds} says.
 */
final class HintRecorder implements LeaseStore.ChangeListener {
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

  void awaitHint(Kind kind, LeaseKey key, Token token) {
    LeaseChange hint = new LeaseChange(kind, key, token);
    await(recorder -> recorder.resets > 0 || recorder.told.contains(hint), hint.toString());
  }

  void awaitReset() {
    await(recorder -> recorder.resets > 0, "a reset");
  }

  /** Waits for one event after the other; a store that tells nothing is given up on. */
  private void await(Predicate<HintRecorder> enough, String what) {
    while (!isMet(enough)) {
      try {
        int seconds = Integer.getInteger("leasehold.contract.hintSeconds", WITHIN_SECONDS);
        boolean told = events.tryAcquire(seconds, TimeUnit.SECONDS);
        assertThat(told).as("waited in vain for %s, told %s", what, told()).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }

  private synchronized boolean isMet(Predicate<HintRecorder> enough) {
    return enough.test(this);
  }
}
