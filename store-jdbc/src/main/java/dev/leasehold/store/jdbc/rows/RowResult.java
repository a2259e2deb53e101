package dev.leasehold.store.jdbc.rows;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.store.jdbc.changes.Committed;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import java.util.List;
import java.util.Optional;

/**
 * The result of one command on a row, and what must be done once it is committed.
 *
 * @param refusal the claim that was refused, and the state of its lease
 * @param isUnheard whether no other process listened at the commit
 */
public record RowResult<O, H>(
    O outcome, List<H> changes, Optional<RefusedClaim> refusal, boolean isUnheard)
    implements Committed<H> {
  /** A claim that was refused. */
  public record RefusedClaim(String target, Claim claim, CurrentRow row, Admission.Refused why) {}

  public static <O, H> RowResult<O, H> unchanged(O outcome) {
    return new RowResult<>(outcome, List.of(), Optional.empty(), true);
  }

  public static <O, H> RowResult<O, H> changed(O outcome, H change, boolean isUnheard) {
    return new RowResult<>(outcome, List.of(change), Optional.empty(), isUnheard);
  }

  RowResult<O, H> unheard(boolean unheard) {
    return new RowResult<>(outcome, changes, refusal, unheard);
  }
}
