package dev.leasehold.benchmarks.micro;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Shows what a benchmark measures beside time, as a mean over iterations; JMH's own counters can
 * only be added up. It is a profiler to JMH: {@code -prof dev.leasehold.benchmarks.micro.Gauges}.
 */
public final class Gauges implements InternalProfiler {
  private static final ConcurrentLinkedQueue<ScalarResult> SHOWN = new ConcurrentLinkedQueue<>();

  /** Shows a value with the iteration that is running or about to end. */
  static void show(String name, double value, String unit) {
    SHOWN.add(new ScalarResult(name, value, unit, AggregationPolicy.AVG));
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    SHOWN.clear();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return List.copyOf(SHOWN);
  }

  @Override
  public String getDescription() {
    return "what benchmarks measure beside time";
  }
}
