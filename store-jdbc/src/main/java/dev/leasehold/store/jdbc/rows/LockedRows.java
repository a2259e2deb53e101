package dev.leasehold.store.jdbc.rows;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.connections.QueryBatch;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.ClaimedLeases;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import dev.leasehold.store.jdbc.rows.RowResult.RefusedClaim;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batch of commands within one transaction. It locks the leases of their claims, then the rows;
 * the rules decide the commands in order, each on what the earlier ones have left; and only the
 * final state of each row is written.
 *
 * @param <S> what was seen of a row under its lock, and around it
 * @param <R> a row as commands leave it
 */
public abstract class LockedRows<K, C extends FencedCommand, O, H, S, R> {
  private static final String SERIALIZATION_FAILURE = "40001";

  protected final StoreConnection connection;
  private final CommandKind<K, C, O> kind;
  private final Map<K, R> left = new LinkedHashMap<>();
  private Map<LeaseKey, CurrentRow> leases = Map.of();
  private boolean begun;

  protected LockedRows(StoreConnection connection, CommandKind<K, C, O> kind) {
    this.connection = connection;
    this.kind = kind;
  }

  /**
   * Locks the rows in the order of their places, floors after them, and returns what was seen for
   * each command, in order; it cannot change until the commit. Its first statements are sent with
   * {@link #begin}.
   */
  protected abstract List<S> lock(List<C> commands) throws SQLException;

  /**
   * Decides a command.
   *
   * @param before the row as an earlier command of this batch has left it
   */
  protected abstract Ruled<O, H, R> decide(
      C command, S seen, Optional<R> before, Admission admission);

  /** Whether an earlier copy of the command has changed the row, as is remembered of it. */
  protected abstract boolean hasTakenEffect(C command, S seen);

  /** Writes what the batch has changed; returns whether no other process listened. */
  protected abstract boolean write(List<R> rows) throws SQLException;

  /** Statements to be sent together; the first of a transaction on a server set its limits. */
  protected final QueryBatch begin() {
    QueryBatch together = connection.together();
    if (!begun && !connection.dialect().hasOneWriter()) {
      together.first("bound-moment");
    }
    begun = true;
    return together;
  }

  /** Another transaction has inserted a row meanwhile: this one is run again. */
  protected static SQLException overtaken() {
    return new SQLTransactionRollbackException(
        "another transaction has created the row meanwhile: run this one again",
        SERIALIZATION_FAILURE);
  }

  /**
   * @param sentBefore whether an earlier copy of the batch may have been carried out without an
   *     answer
   */
  final List<RowResult<O, H>> run(List<C> commands, boolean sentBefore) throws SQLException {
    List<LeaseKey> claimed =
        commands.stream().flatMap(c -> c.claim().stream()).map(Claim::key).distinct().toList();
    if (!claimed.isEmpty()) {
      // First, as in every transaction: leases are locked before the rows that they fence.
      leases = ClaimedLeases.lock(connection, begin(), claimed);
    }
    List<S> seen = lock(commands);
    Set<Integer> late = sentBefore ? late(commands, seen) : Set.of();
    List<RowResult<O, H>> settled = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      settled.add(late.contains(i) ? tooLate() : decide(commands.get(i), seen.get(i)));
    }
    boolean unheard = left.isEmpty() || write(List.copyOf(left.values()));
    return settled.stream().map(one -> one.unheard(unheard)).toList();
  }

  /**
   * Commands that changed nothing when the earlier copy was carried out, before later ones on their
   * rows that did. They must not take effect now, after those.
   */
  private Set<Integer> late(List<C> commands, List<S> seen) {
    Set<K> changed = new HashSet<>();
    Set<Integer> late = new HashSet<>();
    for (int i = commands.size() - 1; i >= 0; i--) {
      K place = place(commands.get(i));
      if (hasTakenEffect(commands.get(i), seen.get(i))) {
        changed.add(place);
      } else if (changed.contains(place)) {
        late.add(i);
      }
    }
    return late;
  }

  private RowResult<O, H> tooLate() {
    return RowResult.unchanged(
        kind.failed(Certainty.UNKNOWN, "a later command on the row has taken effect already"));
  }

  private K place(C command) {
    return kind.place(command).orElseThrow();
  }

  private RowResult<O, H> decide(C command, S seen) {
    K place = place(command);
    Optional<CurrentRow> lease = command.claim().map(claim -> lease(claim.key()));
    Admission admission =
        command
            .claim()
            .flatMap(claim -> lease.map(row -> row.admit(claim)))
            .orElse(Admission.ADMITTED);
    Ruled<O, H, R> ruled = decide(command, seen, Optional.ofNullable(left.get(place)), admission);
    ruled.row().ifPresent(row -> left.put(place, row));
    return new RowResult<>(
        ruled.outcome(), ruled.changes(), refusal(command, ruled.outcome(), lease), false);
  }

  private CurrentRow lease(LeaseKey key) {
    return Optional.ofNullable(leases.get(key)).orElseThrow(StoreUnusableException::unmigrated);
  }

  private static <O> Optional<RefusedClaim> refusal(
      FencedCommand command, O outcome, Optional<CurrentRow> lease) {
    return outcome instanceof BlockOutcome.Refused refused
        ? command
            .claim()
            .flatMap(
                claim ->
                    lease.map(row -> new RefusedClaim(command.target(), claim, row, refused.why())))
        : Optional.empty();
  }
}
