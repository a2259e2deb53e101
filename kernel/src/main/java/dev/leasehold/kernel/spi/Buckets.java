package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;

/**
 * Spreads keys over 2,048 buckets, so that keys with a common prefix are not neighbours on disk,
 * and so that purged keys share a floor. The bucket is the FNV-1a hash of the key's bytes. It must
 * never change, because stores keep it.
 */
public final class Buckets {
  public static final int COUNT = 2_048;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Buckets() {}

  public static int of(LeaseKey key) {
    return of(key.text());
  }

  /** The bucket of a name that a block uses for its own records, in visible ASCII. */
  public static int of(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return (int) Long.remainderUnsigned(hash, COUNT);
  }
}
