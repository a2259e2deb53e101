package dev.leasehold.store.jdbc.status;

/** What is known of a store outside its database. */
public sealed interface WitnessState {
  /** No folder was named for it: only the memory of running processes would know. */
  record None() implements WitnessState {}

  /** The database is a file in the same folder: whoever puts that back puts both back. */
  record Together() implements WitnessState {}

  /** There is nothing in the folder, and whoever merely looks at a store begins nothing. */
  record Empty() implements WitnessState {}

  /** There was nothing in the folder when the store was opened; it is kept since. */
  record Begun() implements WitnessState {}

  /**
   * The folder is named, but what was seen cannot be written there.
   *
   * @param why as the system says it
   */
  record Failing(String why) implements WitnessState {}

  /**
   * There was something in the folder when the store was opened.
   *
   * @param incarnation the highest that was seen
   */
  record Found(int incarnation) implements WitnessState {}
}
