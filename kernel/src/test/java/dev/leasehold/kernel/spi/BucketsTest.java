package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stores keep bucket numbers, so these must never change. */
class BucketsTest {
  /**
   * The bucket is the low 11 bits of the 64-bit FNV-1a of the text. The hashes beside them were
   * made by another implementation, one that gives the published af63dc4c8601ec8c for "a" and
   * 85944171f73967e8 for "foobar".
   */
  @ParameterizedTest
  @CsvSource({
    "lock/nightly-report, d2d1a97a8e8e7dd9, 1497",
    "a/b, e620c3190468cf61, 1889",
    "leader/scheduler, dea8dce6da3872f6, 758",
    "shard/orders/0007, b6d73fa540d64f27, 1831",
    "http://www.isthe.com/chongo/index.html, 89aac3a491f0d729, 1833"
  })
  void aKeyIsInTheBucketThatItsHashSays(String key, String hash, int bucket) {
    assertThat(Buckets.of(new LeaseKey(key))).isEqualTo(bucket);
    assertThat(Long.parseUnsignedLong(hash, 16) & (Buckets.COUNT - 1)).isEqualTo(bucket);
  }

  @Test
  void theLongestKeyHasABucketToo() {
    assertThat(Buckets.of(LeaseKey.of("x", "y".repeat(253)))).isEqualTo(1_375);
  }

  @Test
  void keysWithOnePrefixAreSpreadOverAllBuckets() {
    long used =
        IntStream.range(0, 20 * Buckets.COUNT)
            .map(i -> Buckets.of(LeaseKey.of("lock", "job-" + i)))
            .distinct()
            .count();

    assertThat(used).isEqualTo(Buckets.COUNT);
  }
}
