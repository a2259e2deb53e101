package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import java.util.List;
import java.util.Optional;

/**
 * A part of a listing, in the order of keys.
 *
 * @param next what to continue after, or empty when this was the last page
 */
public record LeasePage(List<LeaseReading> items, Optional<LeaseKey> next) {
  public LeasePage {
    items = List.copyOf(items);
  }
}
