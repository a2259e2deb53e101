package dev.leasehold.store.jdbc.interleaving;

/** The names and edits of the statements that pass through a gate. */
public interface Statements {
  /** A short name for people. */
  String nameOf(String sql);

  /** The text that is sent instead; the same text unless a defect is planted. */
  String rewrite(String sql);
}
