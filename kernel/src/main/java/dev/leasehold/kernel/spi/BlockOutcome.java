package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome.Certainty;

/**
 * The outcomes that commands of every block can have. Each block has records of its own that
 * implement these, in its own sealed set; what is written once for all blocks reads them here.
 */
public interface BlockOutcome {
  /** There is no outcome. The caller may send the same request again to get one. */
  interface Failed extends BlockOutcome {
    Certainty certainty();

    String detail();

    /** Whether the store says that the command changed nothing. */
    static boolean isNotApplied(Object outcome) {
      return outcome instanceof Failed failed && failed.certainty() == Certainty.NOT_APPLIED;
    }
  }

  /** The store will never accept this command from this sender. Nothing was changed. */
  interface Rejected extends BlockOutcome {
    String why();
  }

  /** The claim is not, or no longer, that of a current grant. Nothing was changed. */
  interface Refused extends BlockOutcome {
    Admission.Refused why();
  }

  /** The row is bound to this key, and the command brought no claim of it. Nothing was changed. */
  interface Bound extends BlockOutcome {
    LeaseKey key();
  }
}
