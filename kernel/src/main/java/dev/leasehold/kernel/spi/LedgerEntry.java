package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Texts;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LeaseCharter;
import dev.leasehold.kernel.LeaseCharter.Target;
import dev.leasehold.kernel.RequestId;
import java.util.Optional;

/** One thing that is written down in a {@link Ledger}. */
public sealed interface LedgerEntry {
  /** A process goes by this charter. */
  record Chartered(LeaseCharter charter, String holder) implements LedgerEntry {
    public Chartered {
      Texts.requireOneLine("holder", holder, 1, HolderInfo.MAX_HOLDER);
    }
  }

  /**
   * A holder has sealed a target, or could not. Of each kind and target the last seal is kept, and
   * of each key its last failure, until the same key is sealed with a token that is not lower. What
   * is written late, with a lower token of the same key, replaces nothing.
   *
   * @param failure why it could not; empty if it is sealed
   */
  record Sealing(LeaseKey key, Token token, String holder, String target, Optional<String> failure)
      implements LedgerEntry {
    public static final int MAX_FAILURE = 500;

    public Sealing {
      Texts.requireOneLine("holder", holder, 1, HolderInfo.MAX_HOLDER);
      Texts.requireOneLine("target", target, 1, Target.MAX_NAME);
      failure.ifPresent(why -> Texts.requireOneLine("failure", why, 0, MAX_FAILURE));
    }

    /** Whether this may stand in the place of another. */
    public boolean replaces(Sealing other) {
      return !key.equals(other.key) || !other.token.isAbove(token);
    }

    /** Whether this seal makes up for an earlier failure. */
    public boolean makesUpFor(Sealing earlier) {
      return failure.isEmpty() && key.equals(earlier.key) && !earlier.token.isAbove(token);
    }
  }

  /**
   * A target has refused a claim.
   *
   * @param id known again when it is written twice
   * @param suspectsRollback whether the target goes by a number that this store has not issued, or
   *     says that the claim's was never issued. So it is for a holder that is refused although its
   *     grant is current: the store may have lost writes
   */
  record Refused(
      RequestId id, String target, Claim claim, Admission.Refused answer, boolean suspectsRollback)
      implements LedgerEntry {
    public Refused {
      Texts.requireOneLine("target", target, 1, Target.MAX_NAME);
    }

    /** The same, and it points to a rollback. */
    public Refused suspectingRollback() {
      return new Refused(id, target, claim, answer, true);
    }
  }
}
