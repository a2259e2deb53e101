package dev.leasehold.benchmarks.micro;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One decision of the rules on one thread, with nothing written. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class DecisionBenchmark {
  private static final long NOW = Duration.ofDays(20_000).toMillis();
  private static final LeaseKey KEY = new LeaseKey("lock/nightly-report");
  private static final StoreIncarnation STORE_INCARNATION = StoreIncarnation.first(NOW);
  private static final Terms TERMS = Terms.of("worker-1", Duration.ofSeconds(30));

  private final Instance holder = Instance.of("0123456789abcdef".repeat(2));
  private final Instance other = Instance.of("fedcba9876543210".repeat(2));
  private final KeyState free = state(LeaseRecord.blank(KEY, STORE_INCARNATION.floor()));
  private final Command acquire = acquireBy(holder);
  private final Command acquireByOther = acquireBy(other);
  private final KeyState held = state(granted());
  private final Token token = granted().last();
  private final Command renew = Command.Renew.of(KEY, token, holder);
  private final Command release =
      new Command.Release(KEY, token, holder, new RequestId("release-1"));

  @Benchmark
  public Decision acquireFree() {
    return decide(free, acquire);
  }

  @Benchmark
  public Decision acquireHeld() {
    return decide(held, acquireByOther);
  }

  @Benchmark
  public Decision renew() {
    return decide(held, renew);
  }

  @Benchmark
  public Decision release() {
    return decide(held, release);
  }

  private static Decision decide(KeyState state, Command command) {
    return LeaseRules.decide(state, command, NOW + 1, Limits.SINGLE_NODE);
  }

  private static Command acquireBy(Instance instance) {
    return Command.Acquire.of(KEY, instance, new RequestId("acquire-1"), TERMS);
  }

  private LeaseRecord granted() {
    return switch (decide(free, acquire).effect()) {
      case Decision.Put put -> put.record();
      case Decision.Effect other -> throw new IllegalStateException("not granted: " + other);
    };
  }

  private static KeyState state(LeaseRecord record) {
    return new KeyState(record, STORE_INCARNATION, new NoMemory());
  }

  /** The usual case: a request without an earlier attempt. */
  private static final class NoMemory implements RequestMemory {
    @Override
    public Optional<Remembered> effectOf(Remembered.Request request) {
      return Optional.empty();
    }

    @Override
    public Optional<LossReason> endOf(Token token) {
      return Optional.empty();
    }
  }
}
