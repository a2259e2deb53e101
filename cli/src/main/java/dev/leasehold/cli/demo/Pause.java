package dev.leasehold.cli.demo;

/** Where A is stopped. */
public sealed interface Pause {
  /** It has found that it holds its lease, and has not begun to write. */
  record BeforeTheWrite() implements Pause {}

  /** It writes and writes, and has said so many things of it: anywhere, also inside of a write. */
  record WhileWriting(int afterLines) implements Pause {}
}
