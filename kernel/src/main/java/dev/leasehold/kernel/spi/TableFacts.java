package dev.leasehold.kernel.spi;

import java.util.List;

/**
 * What the database of a store says of the tables beside its own.
 *
 * @param unguarded columns that look like a fencing token, of tables without a guard
 * @param guarded tables that have a guard, by their names
 * @param gaps guards that are not whole
 */
public record TableFacts(List<TokenColumn> unguarded, List<String> guarded, List<GuardGap> gaps) {
  /** Of a store that has no tables. */
  public static final TableFacts NONE = new TableFacts(List.of(), List.of(), List.of());

  public TableFacts {
    unguarded = List.copyOf(unguarded);
    guarded = List.copyOf(guarded);
    gaps = List.copyOf(gaps);
  }

  /** Somebody has thought of tokens there, and nothing makes sure of them. */
  public record TokenColumn(String table, String column) {}

  /**
   * Where a guard lets something through.
   *
   * @param openNow whether it does so now, as without its trigger; else somebody who may do so
   *     would have to open it first, as a superuser can
   */
  public record GuardGap(String table, String what, boolean openNow) {}
}
