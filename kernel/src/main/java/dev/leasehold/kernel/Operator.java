package dev.leasehold.kernel;

import dev.leasehold.fence.Texts;

/** A person, or a tool acting for one, who may override holders; always recorded by name. */
public record Operator(String name) {
  public static final int MAX_LENGTH = 255;

  public Operator {
    Texts.requireOneLine("operator", name, 1, MAX_LENGTH);
  }
}
