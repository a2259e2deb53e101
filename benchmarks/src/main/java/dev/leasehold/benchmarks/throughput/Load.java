package dev.leasehold.benchmarks.throughput;

import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Callers that each repeat a step, all at the same time. */
final class Load {
  private static final Ticker TICKER = Ticker.system();
  private static final int FIRST_SIZE = 1_024;
  private static final int SPREAD = 64;

  private Load() {}

  /** One step of a caller, which has its own thread. */
  interface Step {
    void run(int caller) throws Exception;
  }

  static Measured run(int callers, Duration length, Step step) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Measured>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      for (int i = 0; i < callers; i++) {
        int caller = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return repeat(length, () -> step.run(caller));
                }));
      }
      long begun = TICKER.nanos();
      start.countDown();
      List<Measured> parts = new ArrayList<>();
      for (Future<Measured> one : running) {
        parts.add(join(one));
      }
      return Measured.together(parts, TICKER.nanos() - begun);
    }
  }

  private static Measured join(Future<Measured> one) throws Exception {
    try {
      return one.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a caller failed: " + e.getCause(), e);
    }
  }

  interface Action {
    void run() throws Exception;
  }

  /** Repeats an action on the calling thread. */
  static Measured repeat(Duration length, Action action) throws Exception {
    long[] nanos = new long[FIRST_SIZE];
    int count = 0;
    long begun = TICKER.nanos();
    long before = begun;
    while (before - begun < length.toNanos()) {
      action.run();
      long after = TICKER.nanos();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = after - before;
      before = after;
    }
    return Measured.of(Arrays.copyOf(nanos, count), before - begun);
  }

  /**
   * Each caller runs a step once in this interval, however long the last one took; a late step is
   * measured from when it was due.
   */
  static Measured paced(int callers, Duration length, Duration between, Step step)
      throws Exception {
    List<Measured> parts = Collections.synchronizedList(new ArrayList<>());
    Measured unused =
        run(
            callers,
            Duration.ofNanos(1),
            caller -> parts.add(ofOne(caller, length, between, step)));
    return Measured.together(parts, length.toNanos());
  }

  private static Measured ofOne(int caller, Duration length, Duration between, Step step)
      throws Exception {
    int count = (int) Math.max(1, length.dividedBy(between));
    long[] nanos = new long[count];
    // Spread, so that they are not all due at once.
    long begun = TICKER.nanos() + between.toNanos() * (caller % SPREAD) / SPREAD;
    for (int i = 0; i < count; i++) {
      long due = begun + i * between.toNanos();
      for (long early = due - TICKER.nanos(); early > 0; early = due - TICKER.nanos()) {
        LockSupport.parkNanos(early);
      }
      step.run(caller);
      nanos[i] = TICKER.nanos() - due;
    }
    return Measured.of(nanos, length.toNanos());
  }

  /**
   * Repeats the actions in turn on the calling thread, so that other load on the machine affects
   * all alike.
   */
  static List<Measured> inTurn(Duration length, List<Action> actions) throws Exception {
    List<List<Long>> nanos = new ArrayList<>();
    actions.forEach(action -> nanos.add(new ArrayList<>()));
    long begun = TICKER.nanos();
    long before = begun;
    while (before - begun < length.toNanos()) {
      for (int i = 0; i < actions.size(); i++) {
        actions.get(i).run();
        long after = TICKER.nanos();
        nanos.get(i).add(after - before);
        before = after;
      }
    }
    long elapsed = before - begun;
    return nanos.stream()
        .map(each -> Measured.of(each.stream().mapToLong(Long::longValue).toArray(), elapsed))
        .toList();
  }

  static long now() {
    return TICKER.nanos();
  }
}
