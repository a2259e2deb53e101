package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A store, the threads that share it, and everything they saw. */
final class Bench {
  static final int THREADS = 8;
  private static final int MAX_SECONDS = 120;

  private final EventLog events = new EventLog();
  private final Ticker ticker = Ticker.system();
  private final HighWaterMark mark = new HighWaterMark(events);
  private final List<Contender> contenders = new ArrayList<>();
  private final StoreUnderTest subject;

  Bench(StoreUnderTest subject, Seed seed, List<LeaseKey> keys) {
    this.subject = subject;
    for (int i = 0; i < THREADS; i++) {
      contenders.add(new Contender(this, "contender-" + i, keys, seed.nth(i).random()));
    }
  }

  RecordingStore storeFor(String process) {
    return new RecordingStore(subject.store(), new HistoryRecorder(process, ticker, events));
  }

  /** A change of what the lease protects, under a token. */
  boolean change(LeaseKey key, Token token) {
    return mark.change(key, token, ticker.nanos());
  }

  List<Contender> contenders() {
    return contenders;
  }

  /** Starts all at one moment, and fails if one of them does. */
  static void runAll(List<Runnable> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CyclicBarrier start = new CyclicBarrier(tasks.size());
      List<Future<?>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(threads.submit(() -> startWithAll(start, task))));
      for (Future<?> task : running) {
        task.get(MAX_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new AssertionError("a thread was not answered within " + MAX_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while threads were at work", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static @Nullable Void startWithAll(CyclicBarrier start, Runnable task)
      throws InterruptedException, BrokenBarrierException {
    start.await();
    task.run();
    return null;
  }

  /** Makes races likelier, and waiting cheaper; nothing is right or wrong because of it. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void letOthersRun() {
    Thread.yield();
  }

  Verdict verdict() {
    return HistoryChecks.checkCallsAlone(History.of(events.events()));
  }
}
