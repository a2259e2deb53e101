package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records what a watch reports, in order, and lets a test wait for it. */
final class TestListener implements ChangeListener<LeaseChange> {
  private static final String RESET = "reset";

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  @Override
  public void changed(LeaseChange change) {
    told.add(change.toString());
  }

  @Override
  public void reset() {
    told.add(RESET);
  }

  /** The changes until the reset, from which on changes of other processes are reported. */
  List<String> awaitReset() {
    return await(RESET);
  }

  List<String> await(LeaseChange change) {
    return await(change.toString());
  }

  private List<String> await(String wanted) {
    List<String> before = new ArrayList<>();
    try {
      while (true) {
        String next = told.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("waited in vain for %s after %s", wanted, before).isNotNull();
        if (wanted.equals(next)) {
          return before;
        }
        before.add(String.valueOf(next));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
