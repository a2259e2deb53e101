package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;

/** The public name of an {@link Instance}: the SHA-256 of its secret, as 64 hex digits. */
public record InstanceId(String text) {
  public InstanceId {
    if (!text.matches("[0-9a-f]{64}")) {
      throw new IllFormedException(
          "an instance id is a SHA-256 written as 64 lower-case hex digits, not '" + text + "'");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
