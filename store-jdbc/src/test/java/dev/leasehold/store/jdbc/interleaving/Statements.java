package dev.leasehold.store.jdbc.interleaving;

/** What a gate knows of the statements that pass through it. */
public interface Statements {
  /** A short name for people. */
  String nameOf(String sql);

  /** What is sent instead; the same text where nothing is planted. */
  String rewrite(String sql);
}
