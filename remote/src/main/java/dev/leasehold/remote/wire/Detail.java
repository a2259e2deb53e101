package dev.leasehold.remote.wire;

/**
 * How much an answer contains of a grant or record. {@code BRIEF} is for people and most clients,
 * with relative times only. {@code RECORD} adds what the store has on record, with the store's own
 * times: a client that stands in for the store needs these, and no client should compare them with
 * a clock. It is requested by {@code ?detail=record}.
 */
public enum Detail {
  BRIEF,
  RECORD;

  public static final String PARAMETER = "detail";
}
