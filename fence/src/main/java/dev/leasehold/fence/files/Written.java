package dev.leasehold.fence.files;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;

/** The result of a write. */
public sealed interface Written {
  /** Readers see the new content, a successor will find it, and it survives a crash. */
  record Made() implements Written {}

  /** Nothing was written. */
  record NotMade(Admission.Refused why) implements Written {}

  /**
   * A holder with a higher token began meanwhile. It may or may not have found this content; if it
   * did not, no reader will ever see it.
   */
  record Overtaken(Token by) implements Written {}
}
