package dev.leasehold.blocks.rows.model;

import dev.leasehold.fence.IllFormedException;

/**
 * The number that rows name instead of a session. It is never used again. Its record says under
 * which session the rows stand, so that one write puts a million of them under another.
 */
public record Anchor(long number) implements Comparable<Anchor> {
  public Anchor {
    if (number <= 0) {
      throw new IllFormedException("an anchor is a positive number, not " + number);
    }
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
