package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a watch is told, in order, and lets a test wait for it. */
final class Ear implements ChangeListener<LeaseChange> {
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

  /** What came until the reset, which means that from now on other processes are heard. */
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
        String next = told.poll(20, TimeUnit.SECONDS);
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
