package dev.leasehold.fence.files;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;

/** What became of a write. */
public sealed interface Written {
  /** It is what readers see and a successor finds, and it survives a crash. */
  record Made() implements Written {}

  /** Nothing was written. */
  record NotMade(Admission.Refused why) implements Written {}

  /**
   * Somebody with a higher token came while it was written: whether the successor has found it or
   * not cannot be said, and it can never be seen later than that.
   */
  record Overtaken(Token by) implements Written {}
}
