package dev.leasehold.fence;

/** What became of a change that gives a result. */
public sealed interface Changed<T> {
  /** The change was made, and gave this. */
  record Made<T>(T result) implements Changed<T> {}

  /** The change was not begun. */
  record NotMade<T>(Admission.Refused why) implements Changed<T> {}
}
