package dev.leasehold.testkit.suite;

/** Ends a trial: what was expected by the reference, and what the store answered. */
public final class Mismatch extends Exception {
  private static final long serialVersionUID = 1L;
  final String what;
  final String expected;
  final String actual;

  public Mismatch(String what, Object expected, Object actual) {
    super(what);
    this.what = what;
    this.expected = expected.toString();
    this.actual = actual.toString();
  }

  /** Ends the trial unless the two are equal. */
  public static void unlessEqual(String what, Object expected, Object actual) throws Mismatch {
    if (!expected.equals(actual)) {
      throw new Mismatch(what, expected, actual);
    }
  }
}
