package dev.leasehold.fence;

/** The result of a change that returns a value. */
public sealed interface Changed<T> {
  /** The change was made, and returned this value. */
  record Made<T>(T result) implements Changed<T> {}

  /** The change was not begun. */
  record NotMade<T>(Admission.Refused why) implements Changed<T> {}
}
