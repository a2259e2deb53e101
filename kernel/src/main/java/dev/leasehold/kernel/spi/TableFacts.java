package dev.leasehold.kernel.spi;

import java.util.List;

/**
 * What a store's database knows of the users' tables.
 *
 * @param unguarded columns that look like a fencing token, of tables without a guard
 * @param guarded tables that have a guard, by their names
 * @param gaps guards that let some changes through
 */
public record TableFacts(List<TokenColumn> unguarded, List<String> guarded, List<GuardGap> gaps) {
  /** The facts of a store without tables. */
  public static final TableFacts NONE = new TableFacts(List.of(), List.of(), List.of());

  public TableFacts {
    unguarded = List.copyOf(unguarded);
    guarded = List.copyOf(guarded);
    gaps = List.copyOf(gaps);
  }

  /** A column that looks like a token, in a table where no guard checks it. */
  public record TokenColumn(String table, String column) {}

  /**
   * A gap in a guard.
   *
   * @param openNow whether the gap is open now, as when the trigger is missing; otherwise a user
   *     with the right to do so, such as a superuser, could open it
   */
  public record GuardGap(String table, String what, boolean openNow) {}
}
