package dev.leasehold.blocks.rows.model;

import dev.leasehold.fence.Token;

/**
 * The number that rows name instead of a session. Its record says under which session the rows
 * stand, so that one write puts a million of them under another.
 *
 * <p>It is never used again: it is built like a token, with the store's incarnation in front, so
 * that a store that was restored from a backup and advanced gives no number twice.
 */
public record Anchor(long number) implements Comparable<Anchor> {
  public Anchor {
    Token unused = new Token(number);
  }

  /** The incarnation in which it was opened. */
  public int incarnation() {
    return new Token(number).incarnation();
  }

  @Override
  public int compareTo(Anchor other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
