package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.store.jdbc.changes.Committed;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import java.util.List;
import java.util.Optional;

/**
 * The result of one write, and what must be done once it is committed.
 *
 * @param refusal the claim that was refused, and the state of its lease
 * @param isUnheard whether no other process listened at the commit
 */
record ObjectSettled(
    ObjectOutcome outcome, List<ObjectChange> changes, Optional<Refusal> refusal, boolean isUnheard)
    implements Committed<ObjectChange> {
  /** A claim that was refused. */
  record Refusal(String target, Claim claim, CurrentRow row, Admission.Refused why) {}

  static ObjectSettled unchanged(ObjectOutcome outcome) {
    return new ObjectSettled(outcome, List.of(), Optional.empty(), true);
  }

  ObjectSettled unheard(boolean unheard) {
    return new ObjectSettled(outcome, changes, refusal, unheard);
  }
}
