package dev.leasehold.benchmarks.micro;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Acquires a key and releases it: two commands. Directly on the memory store, and through {@link
 * Leases}: the difference is the cost of the holder's side, with its batches, its trust and its
 * handle.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class StoreBenchmark {
  /** Long, since the store's clock runs fast. */
  private static final Duration TTL = Duration.ofHours(1);

  private static final int CALLERS = 64;

  private final LeaseStore store = new MemoryLeaseStore(new RunningClock(), Limits.SINGLE_NODE);
  private final BatchCounter counter = new BatchCounter(store);
  private final Leases leases = Leases.on(counter).holder("worker-1").open();

  @TearDown(Level.Iteration)
  public void showBatches() {
    Gauges.show("commandsPerBatch", counter.commandsPerBatch(), "commands");
  }

  @TearDown
  public void close() {
    leases.close();
  }

  /** One caller with a key of its own. */
  @State(Scope.Thread)
  public static class Caller {
    private static final Terms TERMS = Terms.of("worker-1", TTL);

    private final Instance instance = Instance.random();
    private LeaseKey key = new LeaseKey("lock/none");
    private LeaseRequest request = LeaseRequest.of(key);
    private long requests;

    @Setup
    public void chooseKey(ThreadParams thread) {
      key = new LeaseKey("lock/item-" + (1_000_000 + thread.getThreadIndex()));
      request = LeaseRequest.of(key).ttl(TTL);
    }

    private RequestId nextRequest() {
      return new RequestId(Long.toHexString(++requests));
    }
  }

  @Benchmark
  public Outcome direct(Caller caller) {
    Outcome granted =
        apply(Command.Acquire.of(caller.key, caller.instance, caller.nextRequest(), Caller.TERMS));
    return switch (granted) {
      case Outcome.Granted won ->
          apply(
              new Command.Release(
                  caller.key, won.grant().token(), caller.instance, caller.nextRequest()));
      case Outcome other -> throw new IllegalStateException("not granted: " + other);
    };
  }

  private Outcome apply(Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Benchmark
  public void throughLeases(Caller caller) throws InterruptedException {
    switch (leases.tryAcquire(caller.request)) {
      case Acquisition.Acquired acquired -> acquired.lease().close();
      case Acquisition other -> throw new IllegalStateException("not acquired: " + other);
    }
  }

  @Benchmark
  @Threads(CALLERS)
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public Outcome directBy64(Caller caller) {
    return direct(caller);
  }

  @Benchmark
  @Threads(CALLERS)
  @BenchmarkMode(Mode.Throughput)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public void throughLeasesBy64(Caller caller) throws InterruptedException {
    throughLeases(caller);
  }
}
