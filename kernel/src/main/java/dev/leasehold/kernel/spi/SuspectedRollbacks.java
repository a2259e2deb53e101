package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.List;

/**
 * Commands that brought a token above the one on record. Either the caller made the token up, or
 * the store has lost writes. The store closes nothing because of it; doctor and audit show it.
 *
 * @param count how many since the store was opened
 * @param latest the last cases, newest first, up to {@link #KEPT}
 */
public record SuspectedRollbacks(long count, List<Case> latest) {
  public static final int KEPT = 100;

  public SuspectedRollbacks {
    latest = List.copyOf(latest);
  }

  /** One such command. */
  public record Case(LeaseKey key, Token brought, Token last, long atMillis) {}
}
