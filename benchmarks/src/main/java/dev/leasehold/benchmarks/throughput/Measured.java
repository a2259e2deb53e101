package dev.leasehold.benchmarks.throughput;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The result of one round: how long each operation took, and how long they took together. */
final class Measured {
  private final long[] sortedNanos;
  private final long elapsedNanos;

  private Measured(long[] sortedNanos, long elapsedNanos) {
    this.sortedNanos = sortedNanos;
    this.elapsedNanos = elapsedNanos;
  }

  static Measured nothing() {
    return new Measured(new long[0], 1);
  }

  /** A number of operations that were measured only together. */
  static Measured counted(long count, long elapsedNanos) {
    return new Measured(new long[Math.toIntExact(count)], elapsedNanos);
  }

  static Measured of(long[] nanos, long elapsedNanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Measured(sorted, elapsedNanos);
  }

  static Measured together(List<Measured> parts, long elapsedNanos) {
    return of(
        parts.stream().flatMapToLong(part -> Arrays.stream(part.sortedNanos)).toArray(),
        elapsedNanos);
  }

  long elapsedNanos() {
    return elapsedNanos;
  }

  int count() {
    return sortedNanos.length;
  }

  double perSecond() {
    return count() * (double) TimeUnit.SECONDS.toNanos(1) / elapsedNanos;
  }

  /** In milliseconds; a part of 1 is the slowest. */
  double quantileMillis(double part) {
    if (sortedNanos.length == 0) {
      return 0;
    }
    int place = (int) Math.ceil(part * sortedNanos.length) - 1;
    return sortedNanos[Math.max(0, place)] / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }

  static double median(List<Measured> rounds, ToDoubleFunction<Measured> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
