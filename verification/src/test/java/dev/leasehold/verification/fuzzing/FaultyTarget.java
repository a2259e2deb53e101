package dev.leasehold.verification.fuzzing;

import dev.leasehold.fence.LeaseKey;
import java.nio.charset.StandardCharsets;

/** The control: a reader of keys that breaks on one that Jazzer has to make up. */
public final class FaultyTarget {
  private FaultyTarget() {}

  /** Breaks on a well-formed key whose name ends in a quarter of a word. */
  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    if (text.endsWith("/oo")) {
      throw new IllegalStateException("a planted fault, in " + new LeaseKey("a" + text));
    }
  }
}
