package dev.leasehold.cli.demo;

/** Where A is stopped. */
public sealed interface Pause {
  /** It has found that it holds its lease, and has not begun to write. */
  record BeforeTheWrite() implements Pause {}

  /** It writes and writes, and has said so many things of it: anywhere, also inside of a write. */
  record WhileWriting(int afterLines) implements Pause {}

  /** It is in the midst of a write to the place with this number. */
  record InsideAWrite(int place, Step step) implements Pause {}

  /**
   * How far a write has come. Where check and change are one transaction, both are inside of it.
   */
  enum Step {
    BEFORE_THE_CHANGE,
    AFTER_THE_CHANGE
  }
}
