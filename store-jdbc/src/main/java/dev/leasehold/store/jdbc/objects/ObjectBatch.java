package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.objects.ObjectStatements.Written;
import dev.leasehold.store.jdbc.rows.RowBatch;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A batch of writes for a server whose statements can write many objects. */
final class ObjectBatch extends RowBatch<ObjectName, ObjectCommand, ObjectOutcome, ObjectChange> {
  private final long memoryMillis;

  ObjectBatch(
      ObjectTable table,
      List<ObjectCommand> batch,
      Attempts attempts,
      LockedPlaces<ObjectName> lockedPlaces) {
    super(table, batch, attempts, lockedPlaces);
    this.memoryMillis = table.memoryMillis();
  }

  /** Puts without a claim. */
  @Override
  protected void settleUsual(List<Integer> round) throws SQLException {
    List<Integer> usual =
        forStatements(
            round, command -> command instanceof ObjectCommand.Put && command.claim().isEmpty());
    List<Integer> existing =
        open(usual, command -> !(command.expected() instanceof Expectation.Absence));
    Set<Integer> mayBeNew = new HashSet<>(usual);
    if (!existing.isEmpty()) {
      List<ObjectCommand.Put> puts = commands(existing, ObjectCommand.Put.class);
      Optional<Written> written = statement(s -> new ObjectStatements(s).put(puts, memoryMillis));
      written.ifPresent(made -> keep(existing, made.settled()));
      written.ifPresent(made -> made.seen().forEach(n -> mayBeNew.remove(existing.get(n))));
    }
    List<Integer> fresh =
        usual.stream().filter(mayBeNew::contains).filter(i -> !expectsVersion(i)).toList();
    if (!fresh.isEmpty()) {
      List<ObjectCommand.Put> puts = commands(fresh, ObjectCommand.Put.class);
      statement(s -> new ObjectStatements(s).putNew(puts)).ifPresent(made -> keep(fresh, made));
    }
  }

  private boolean expectsVersion(int number) {
    return batch.get(number).expected() instanceof Expectation.At;
  }
}
