package dev.leasehold.benchmarks.micro;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/** A check of the memory fence, alone and with a second thread on another key. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class FenceBenchmark {
  private static final Token FIRST = Token.of(1, 1);

  private final MemoryFence fence = new MemoryFence("files", new RefusalTrail(new RunningClock()));

  /** One holder: a key and a token of its own, and a target that it changes. */
  @State(Scope.Thread)
  public static class Holder {
    private LeaseKey key = new LeaseKey("lock/none");
    private Claim claim = Claim.of(key, FIRST);
    private Token token = FIRST;
    private long target;

    @Setup
    public void chooseKey(ThreadParams thread) {
      key = new LeaseKey("lock/" + thread.getThreadIndex());
      claim = Claim.of(key, FIRST);
    }

    private Claim next() {
      token = token.next(1);
      return Claim.of(key, token);
    }

    private void change() {
      target++;
    }

    @TearDown
    public void read(Blackhole blackhole) {
      blackhole.consume(target);
    }
  }

  @Benchmark
  public Admission admit(Holder holder) {
    return fence.admit(holder.claim);
  }

  /** Each time with a higher token, as if each write had a new owner. */
  @Benchmark
  public Admission admitHigher(Holder holder) {
    return fence.admit(holder.next());
  }

  @Benchmark
  public Admission change(Holder holder) {
    return fence.change(holder.claim, holder::change);
  }

  @Benchmark
  @Threads(2)
  public Admission admitOnTwoKeys(Holder holder) {
    return fence.admit(holder.claim);
  }

  @Benchmark
  @Threads(2)
  public Admission changeOnTwoKeys(Holder holder) {
    return fence.change(holder.claim, holder::change);
  }
}
