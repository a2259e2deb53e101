package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import java.util.Optional;

/**
 * What came of one write, and what is left to do once that is committed.
 *
 * @param refusal what the lease looked like that its claim was refused for
 * @param isUnheard no other process listened when it was committed
 */
record ObjectSettled(
    ObjectOutcome outcome,
    Optional<ObjectChange> change,
    Optional<Refusal> refusal,
    boolean isUnheard) {
  /** A claim that was refused. */
  record Refusal(String target, Claim claim, CurrentRow row, Admission.Refused why) {}

  static ObjectSettled unchanged(ObjectOutcome outcome) {
    return new ObjectSettled(outcome, Optional.empty(), Optional.empty(), true);
  }

  ObjectSettled unheard(boolean unheard) {
    return new ObjectSettled(outcome, change, refusal, unheard);
  }
}
