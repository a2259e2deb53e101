package dev.leasehold.kernel.model;

import dev.leasehold.fence.Texts;

/** An operator's reason for a command, recorded with it: one line of 1 to 1,000 characters. */
public record Explanation(String text) {
  public static final int MAX_LENGTH = 1_000;

  public Explanation {
    Texts.requireOneLine("explanation", text, 1, MAX_LENGTH);
  }
}
