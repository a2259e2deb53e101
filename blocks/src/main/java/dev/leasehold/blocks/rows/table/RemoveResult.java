package dev.leasehold.blocks.rows.table;

/** What became of the end of a hold that was told to the table. */
public enum RemoveResult {
  /** The table had this hold, or an older one of the row, and has none of it now. */
  REMOVED,

  /** The table has no hold of this row. */
  UNKNOWN,

  /** The table has a later hold of this row, and keeps that. */
  OUTDATED
}
