package dev.leasehold.cli.demo;

/** The point at which A is stopped. */
public sealed interface Pause {
  /** It has checked that it holds its lease, and has not begun to write. */
  record BeforeTheWrite() implements Pause {}

  /**
   * It writes repeatedly, and has printed this many lines about it: it may be anywhere, also inside
   * a write.
   */
  record WhileWriting(int afterLines) implements Pause {}

  /** It is in the middle of a write to the place with this number. */
  record InsideAWrite(int place, Step step) implements Pause {}

  /** The progress of a write. If check and change are one transaction, both steps are inside it. */
  enum Step {
    BEFORE_THE_CHANGE,
    AFTER_THE_CHANGE
  }
}
