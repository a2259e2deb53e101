package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Texts;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.RequestId;
import java.util.Optional;

/** One entry of a {@link Ledger}. */
public sealed interface LedgerEntry {
  /** A process applies this charter. */
  record Chartered(LeaseCharter charter, String holder) implements LedgerEntry {
    public Chartered {
      Texts.requireOneLine("holder", holder, 1, HolderInfo.MAX_HOLDER);
    }
  }

  /**
   * A holder has sealed a target, or failed to. The ledger keeps the last seal of each kind and
   * target, and the last failure of each key until that key is sealed with a token that is not
   * lower. A late entry with a lower token of the same key replaces nothing.
   *
   * @param failure why the seal failed; empty if it succeeded
   */
  record Sealing(LeaseKey key, Token token, String holder, String target, Optional<String> failure)
      implements LedgerEntry {
    public static final int MAX_FAILURE = 500;

    public Sealing {
      Texts.requireOneLine("holder", holder, 1, HolderInfo.MAX_HOLDER);
      Texts.requireOneLine("target", target, 1, Target.MAX_NAME);
      failure.ifPresent(why -> Texts.requireOneLine("failure", why, 0, MAX_FAILURE));
    }

    /** Whether this entry may replace another. */
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
   * @param id recognises an entry that is written twice
   * @param suspectsRollback whether the target's mark is a token that this store has not issued, or
   *     the target says that the claim's token was never issued. Then a holder may be refused
   *     although its grant is current, and the store may have lost writes
   */
  record Refused(
      RequestId id, String target, Claim claim, Admission.Refused answer, boolean suspectsRollback)
      implements LedgerEntry {
    public Refused {
      Texts.requireOneLine("target", target, 1, Target.MAX_NAME);
    }

    /** The same refusal, marked as pointing to a rollback. */
    public Refused suspectingRollback() {
      return new Refused(id, target, claim, answer, true);
    }
  }
}
