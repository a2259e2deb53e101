package dev.leasehold.kernel.model;

import dev.leasehold.fence.Texts;

/** The public name of an {@link Instance}: the SHA-256 of its secret, as 64 hex digits. */
public record InstanceId(String text) {
  private static final int DIGITS = 64;

  public InstanceId {
    Texts.requireHex("an instance id", text, DIGITS);
  }

  @Override
  public String toString() {
    return text;
  }
}
