package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import java.util.List;
import java.util.stream.IntStream;

/** Keys with one prefix. */
final class Keys {
  private Keys() {}

  static LeaseKey of(String prefix, int number) {
    return new LeaseKey("%s-%07d".formatted(prefix, number));
  }

  static List<LeaseKey> of(String prefix, int from, int count) {
    return IntStream.range(from, from + count).mapToObj(number -> of(prefix, number)).toList();
  }

  /** Keys that fall into one bucket, to which the table is like one without buckets. */
  static List<LeaseKey> inOneBucket(String prefix, int count) {
    return IntStream.iterate(0, number -> number + 1)
        .mapToObj(number -> new LeaseKey(prefix + "-" + Integer.toString(number, 36)))
        .filter(key -> Buckets.of(key) == 0)
        .limit(count)
        .toList();
  }
}
