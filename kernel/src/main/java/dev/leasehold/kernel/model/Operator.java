package dev.leasehold.kernel.model;

import dev.leasehold.fence.Texts;

/**
 * A person, or a tool that acts for one, who may override holders. Each command of an operator is
 * recorded with this name.
 */
public record Operator(String name) {
  public static final int MAX_LENGTH = 255;

  public Operator {
    Texts.requireOneLine("operator", name, 1, MAX_LENGTH);
  }
}
