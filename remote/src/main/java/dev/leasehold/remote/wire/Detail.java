package dev.leasehold.remote.wire;

/**
 * How much is told of a grant or record. {@code BRIEF} is what people and most clients want, with
 * relative times only. {@code RECORD} adds what a store has on record, with the store's own times:
 * a client that stands in for the store needs it, and nobody should compare these times with a
 * clock. It is asked for by {@code ?detail=record}.
 */
public enum Detail {
  BRIEF,
  RECORD;

  public static final String PARAMETER = "detail";
}
