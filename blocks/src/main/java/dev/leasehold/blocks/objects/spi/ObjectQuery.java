package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.fence.IllFormedException;

/**
 * Which objects of a type to list.
 *
 * @param after the id of the last one on the page before; empty for the first page
 * @param limit the most objects, 1 to 1,000
 */
public record ObjectQuery(String type, String after, int limit) {
  public static final int MAX_LIMIT = 1_000;

  /** A page ends when its payloads exceed this; it has at least one object. */
  public static final int MAX_PAGE_BYTES = 8 << 20;

  public ObjectQuery {
    ObjectName.requireType(type);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllFormedException("a page has 1 to " + MAX_LIMIT + " objects, not " + limit);
    }
  }

  public static ObjectQuery all(String type) {
    return new ObjectQuery(type, "", MAX_LIMIT);
  }

  public ObjectQuery from(String lastId) {
    return new ObjectQuery(type, lastId, limit);
  }
}
