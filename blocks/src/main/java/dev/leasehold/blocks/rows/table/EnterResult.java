package dev.leasehold.blocks.rows.table;

/** What became of an entry that was brought to the table. */
public enum EnterResult {
  /** The table has it, in place of an older hold if there was one. */
  ENTERED,

  /** The table had this hold. It keeps the longer length and the later deadline of the two. */
  KNOWN,

  /**
   * The table has this hold, and a statement that may free its row is on its way. The worker must
   * not be told that it has the row before that is settled.
   */
  REAPING,

  /** The table has a later hold of this row, and keeps that. */
  OUTDATED
}
