package dev.leasehold.store.jdbc.status;

/** The state of the witness files, which are kept outside the database. */
public sealed interface WitnessState {
  /** No folder is configured, so only running processes remember what they have seen. */
  record None() implements WitnessState {}

  /** The database is a file in the same folder, so a restore of the folder restores both. */
  record Together() implements WitnessState {}

  /** The folder has no file, and this process only inspects the store, so it writes none. */
  record Empty() implements WitnessState {}

  /** The folder had no file when the store was opened; one is kept since then. */
  record Begun() implements WitnessState {}

  /**
   * The folder is configured, but the file cannot be written there.
   *
   * @param why the system's message
   */
  record Failing(String why) implements WitnessState {}

  /**
   * The folder had a file when the store was opened.
   *
   * @param incarnation the highest that was seen
   */
  record Found(int incarnation) implements WitnessState {}
}
