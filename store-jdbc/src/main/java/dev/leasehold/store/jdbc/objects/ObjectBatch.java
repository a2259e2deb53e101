package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectDecision;
import dev.leasehold.blocks.objects.spi.ObjectDecisionContext;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectRules;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import dev.leasehold.store.jdbc.objects.ObjectRows.Remembered;
import dev.leasehold.store.jdbc.objects.ObjectRows.Row;
import dev.leasehold.store.jdbc.objects.ObjectRows.Seen;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batch of writes within one transaction: it locks all rows, lets the rules decide the commands
 * in order, and writes only the final state of each object.
 */
final class ObjectBatch {
  private static final ObjectSettled OVERTAKEN =
      ObjectSettled.unchanged(
          new ObjectOutcome.Failed(
              Certainty.UNKNOWN, "a later write on the object has taken effect already"));

  private final ObjectRows rows;
  private final long memoryMillis;

  /** Whether an earlier copy of the batch may have been carried out without an answer. */
  private final boolean sentBefore;

  private final Map<ObjectName, Pending> pending = new LinkedHashMap<>();
  private final List<Remembered> remembered = new ArrayList<>();
  private Map<LeaseKey, CurrentRow> leases = Map.of();

  /** An object as the earlier commands of the batch have left it. */
  private static final class Pending {
    final boolean isNew;
    Optional<ObjectRecord> record;
    Payload payload = Payload.EMPTY;
    boolean changed;
    final List<RememberedWrite> displaced = new ArrayList<>();

    Pending(Optional<ObjectRecord> record) {
      this.isNew = record.isEmpty();
      this.record = record;
    }

    /** A remembered write of this batch that another of its commands has followed. */
    Optional<RememberedWrite> recalled(ObjectCommand command) {
      boolean deletes = command instanceof ObjectCommand.Delete;
      return displaced.stream()
          .filter(write -> write.requestId().equals(command.requestId()))
          .filter(write -> (write.kind() == RememberedWrite.Kind.DELETED) == deletes)
          .findFirst();
    }
  }

  ObjectBatch(ObjectRows rows, long memoryMillis, boolean sentBefore) {
    this.rows = rows;
    this.memoryMillis = memoryMillis;
    this.sentBefore = sentBefore;
  }

  List<ObjectSettled> run(List<ObjectCommand> commands) throws SQLException {
    List<LeaseKey> claimed =
        commands.stream().flatMap(c -> c.claim().stream()).map(Claim::key).distinct().toList();
    // First, as in every transaction: leases are locked before the objects that they fence.
    leases = claimed.isEmpty() ? new HashMap<>() : rows.lockClaims(claimed);
    List<Seen> seen = rows.lock(commands);
    Set<Integer> overtaken = sentBefore ? overtaken(commands, seen) : Set.of();
    List<ObjectSettled> settled = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      settled.add(overtaken.contains(i) ? OVERTAKEN : decide(commands.get(i), seen.get(i)));
    }
    boolean unheard = write();
    return settled.stream().map(one -> one.unheard(unheard)).toList();
  }

  /**
   * Commands that changed nothing when the earlier copy was carried out, before later ones on their
   * objects that did. They must not take effect now, after those.
   */
  private static Set<Integer> overtaken(List<ObjectCommand> commands, List<Seen> seen) {
    Set<ObjectName> written = new HashSet<>();
    Set<Integer> overtaken = new HashSet<>();
    for (int i = commands.size() - 1; i >= 0; i--) {
      ObjectCommand command = commands.get(i);
      if (seen.get(i).state().writtenBy(command).isPresent()) {
        written.add(command.name());
      } else if (written.contains(command.name())) {
        overtaken.add(i);
      }
    }
    return overtaken;
  }

  private ObjectSettled decide(ObjectCommand command, Seen seen) {
    Pending object =
        pending.computeIfAbsent(command.name(), name -> new Pending(seen.state().record()));
    ObjectState state =
        new ObjectState(
            seen.state().floor(),
            object.record,
            object.recalled(command).or(() -> seen.state().recalled()));
    Optional<CurrentRow> lease = command.claim().map(claim -> lease(claim.key()));
    Admission admission =
        command
            .claim()
            .flatMap(claim -> lease.map(row -> row.admit(claim)))
            .orElse(Admission.ADMITTED);
    ObjectDecision decision =
        ObjectRules.decide(
            state,
            command,
            new ObjectDecisionContext(
                seen.bound(), admission, seen.nowMillis(), seen.incarnation()));
    Optional<ObjectChange> change =
        decision.change().map(made -> keep(command.name(), object, made, seen.nowMillis()));
    return new ObjectSettled(
        decision.outcome(), change.stream().toList(), refusal(command, decision, lease), false);
  }

  private CurrentRow lease(LeaseKey key) {
    CurrentRow row = leases.get(key);
    if (row == null) {
      throw new StoreUnusableException("the store's own row is missing: run leasehold migrate");
    }
    return row;
  }

  private static Optional<ObjectSettled.Refusal> refusal(
      ObjectCommand command, ObjectDecision decision, Optional<CurrentRow> lease) {
    return decision.outcome() instanceof ObjectOutcome.Refused refused
        ? command
            .claim()
            .flatMap(
                claim ->
                    lease.map(
                        row ->
                            new ObjectSettled.Refusal(
                                "object/" + command.name().type(), claim, row, refused.why())))
        : Optional.empty();
  }

  private ObjectChange keep(
      ObjectName name, Pending object, ObjectDecision.Change change, long nowMillis) {
    change.displaced().ifPresent(before -> remember(name, object, before, nowMillis));
    ObjectRecord after = change.record();
    if (after.isTombstone()) {
      // A deletion's remembered write is stored at once, because a purge looks for it there.
      remembered.add(new Remembered(name, after.last(), after.updatedAtMillis()));
    }
    object.record = Optional.of(after);
    object.payload = change.payload();
    object.changed = true;
    return new ObjectChange(
        after.isTombstone() ? ObjectChange.Kind.DELETED : ObjectChange.Kind.WRITTEN,
        name,
        after.version());
  }

  /** Keeps the earlier remembered write only while its request may still be repeated. */
  private void remember(ObjectName name, Pending object, ObjectRecord before, long nowMillis) {
    object.displaced.add(before.last());
    if (!before.isTombstone() && before.updatedAtMillis() >= nowMillis - memoryMillis) {
      remembered.add(new Remembered(name, before.last(), before.updatedAtMillis()));
    }
  }

  private boolean write() throws SQLException {
    List<Row> changed = new ArrayList<>();
    pending.forEach(
        (name, object) -> {
          if (object.changed) {
            changed.add(new Row(name, object.record.orElseThrow(), object.payload, object.isNew));
          }
        });
    return changed.isEmpty() || rows.write(changed, remembered);
  }
}
