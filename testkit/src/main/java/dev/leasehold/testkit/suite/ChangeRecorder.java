package dev.leasehold.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.ChangeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps what a watch tells, and lets a test wait for it: a minute, or as many seconds as {@code
 * -Dleasehold.contract.hintSeconds} says.
 *
 * @param <C> a change, as the listener is told it
 */
public class ChangeRecorder<C> implements ChangeListener<C> {
  private static final int WITHIN_SECONDS = 60;

  private final List<C> told = new ArrayList<>();
  private final Semaphore events = new Semaphore(0);
  private int resets;

  @Override
  public synchronized void changed(C change) {
    told.add(change);
    events.release();
  }

  @Override
  public synchronized void reset() {
    resets++;
    events.release();
  }

  public final synchronized List<C> told() {
    return List.copyOf(told);
  }

  /** Waits for a change. A reset stands for one, since a listener that is reset reads again. */
  public final void awaitChange(C change) {
    awaitThat(() -> told().contains(change) || takeReset(), change.toString());
  }

  private synchronized boolean takeReset() {
    boolean isReset = resets > 0;
    resets -= isReset ? 1 : 0;
    return isReset;
  }

  public final void awaitReset() {
    awaitThat(this::wasReset, "a reset");
  }

  public final synchronized boolean wasReset() {
    return resets > 0;
  }

  /** Looks again after each thing that is told, and fails when the store tells nothing more. */
  public final void awaitThat(BooleanSupplier isSo, String what) {
    int seconds = Integer.getInteger("leasehold.contract.hintSeconds", WITHIN_SECONDS);
    boolean isTold = true;
    while (!isSo.getAsBoolean()) {
      assertThat(isTold)
          .as("waited for %s until the time limit, received %s", what, told())
          .isTrue();
      try {
        isTold = events.tryAcquire(seconds, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
