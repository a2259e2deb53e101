package dev.leasehold.store.jdbc;

import dev.leasehold.blocks.objects.Binding;
import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.ObjectListener;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.ObjectScope;
import dev.leasehold.blocks.objects.Payload;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.store.jdbc.ObjectBatch.ObjectSettled;
import dev.leasehold.store.jdbc.ObjectBatch.Result;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Versioned objects beside the leases, in the same database. */
final class JdbcObjectStore implements ObjectStore {
  /** How many buckets of tombstones are looked at in one transaction. */
  private static final int PURGE_RANGE = 256;

  private final Dialect dialect;
  private final Engine engine;
  private final Hints hints;
  private final Effects effects;
  private final long memoryMillis;
  private final ObjectPurge purge;

  JdbcObjectStore(JdbcLeaseStore.Parts parts, Effects effects) {
    this.dialect = parts.dialect();
    this.engine = parts.engine();
    this.hints = parts.hints();
    this.effects = effects;
    this.memoryMillis = parts.limits().memoryMillis();
    this.purge = new ObjectPurge(dialect, parts.limits());
  }

  @Override
  public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return engine.change(transactions -> settle(transactions, batch)).thenApply(this::tell);
  }

  /** Together; if that is refused or somebody keeps a row locked, one of them may be to blame. */
  private List<Result> settle(Transactions transactions, List<ObjectCommand> batch) {
    try {
      Result together = transactions.run(session -> run(session, batch));
      return List.of(together);
    } catch (SQLException e) {
      Failures failure = Failures.of(e);
      boolean ofOne = failure == Failures.REFUSED || failure == Failures.LOCKED;
      if (batch.size() == 1 || !ofOne) {
        return List.of(failed(transactions, batch, e));
      }
      int half = batch.size() / 2;
      List<Result> results = new ArrayList<>(settle(transactions, batch.subList(0, half)));
      results.addAll(settle(transactions, batch.subList(half, batch.size())));
      return results;
    }
  }

  private static Result failed(
      Transactions transactions, List<ObjectCommand> batch, SQLException why) {
    Certainty certainty = transactions.wasCutOff() ? Certainty.UNKNOWN : Certainty.NOT_APPLIED;
    ObjectSettled failure =
        ObjectSettled.failed(new ObjectOutcome.Failed(certainty, Failures.text(why)));
    return new Result(batch.stream().map(command -> failure).toList(), true);
  }

  private Result run(Session session, List<ObjectCommand> batch) throws SQLException {
    ObjectRows rows =
        dialect == Dialect.SQLITE ? new SqliteObjectRows(session) : new ServerObjectRows(session);
    Result result = new ObjectBatch(rows, memoryMillis).run(batch);
    if (dialect == Dialect.SQLITE) {
      SequenceCursor.post(session, hints.lines().objectTexts(result.changes()));
    }
    return result;
  }

  /** What is committed is told, and what was refused is written down. */
  private List<ObjectOutcome> tell(List<Result> results) {
    List<ObjectOutcome> outcomes = new ArrayList<>();
    for (Result result : results) {
      List<ObjectChange> changes = result.changes();
      hints.tellHereOfObjects(changes);
      if (!result.unheard()) {
        hints.tellOthersOfObjects(changes);
      }
      for (ObjectSettled one : result.settled()) {
        one.refusal()
            .ifPresent(
                refusal ->
                    effects.refused(
                        refusal.target(), refusal.claim(), refusal.row(), refusal.why()));
        outcomes.add(one.outcome());
      }
    }
    return outcomes;
  }

  @Override
  public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return engine.read(
        session -> {
          PreparedStatement statement = session.prepare("read-objects");
          bindNames(session, statement, names);
          List<Optional<VersionedObject>> found = new ArrayList<>();
          names.forEach(name -> found.add(Optional.empty()));
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              found.set((int) row.getLong(1) - 1, Optional.of(object(row, 2)));
            }
          }
          return found;
        });
  }

  private void bindNames(Session session, PreparedStatement statement, List<ObjectName> names)
      throws SQLException {
    if (dialect == Dialect.SQLITE) {
      statement.setString(1, json(names));
      return;
    }
    Object[] types = names.stream().map(ObjectName::type).toArray();
    Object[] ids = names.stream().map(ObjectName::id).toArray();
    statement.setArray(1, session.connection().createArrayOf("text", types));
    statement.setArray(2, session.connection().createArrayOf("text", ids));
  }

  private static String json(List<ObjectName> names) {
    StringBuilder json = new StringBuilder("[");
    for (ObjectName name : names) {
      json.append(json.length() == 1 ? "[" : ",[");
      SqliteBatch.quote(json, name.type());
      SqliteBatch.quote(json.append(','), name.id());
      json.append(']');
    }
    return json.append(']').toString();
  }

  private static VersionedObject object(ResultSet row, int from) throws SQLException {
    return new VersionedObject(
        ObjectName.of(row.getString(from), row.getString(from + 1)),
        new Version(row.getLong(from + 2)),
        Payload.of(row.getBytes(from + 5)),
        row.getLong(from + 3),
        row.getLong(from + 4));
  }

  @Override
  public CompletionStage<ObjectPage> list(ObjectQuery query) {
    return engine.read(
        session ->
            session.query(
                rows -> {
                  List<VersionedObject> found = new ArrayList<>();
                  while (rows.next()) {
                    found.add(object(rows, 1));
                  }
                  return page(session, query, found);
                },
                "list-objects",
                query.type(),
                query.after(),
                query.limit(),
                (long) ObjectQuery.MAX_PAGE_BYTES));
  }

  /** A page may have ended because of its payloads, so whether there is more has to be asked. */
  private static ObjectPage page(Session session, ObjectQuery query, List<VersionedObject> found)
      throws SQLException {
    if (found.isEmpty()) {
      return new ObjectPage(found, Optional.empty());
    }
    String last = found.getLast().name().id();
    boolean more = session.query(ResultSet::next, "more-objects", query.type(), last);
    return new ObjectPage(found, more ? Optional.of(last) : Optional.empty());
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return rebind(
        scope,
        session ->
            session.update("insert-binding", scope.type(), scope.id(), key.text(), by.name()));
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    return rebind(scope, session -> 0);
  }

  private CompletionStage<Optional<LeaseKey>> rebind(ObjectScope scope, Work<Integer> then) {
    return engine.change(
        transactions ->
            transactions.run(
                session -> {
                  bound(session);
                  session.update("lock-out-object-writers");
                  Optional<LeaseKey> before =
                      session.query(
                          row -> row.next() ? ObjectRows.key(row, 1) : Optional.empty(),
                          "read-binding",
                          scope.type(),
                          scope.id());
                  session.update("delete-binding", scope.type(), scope.id());
                  int unused = then.run(session);
                  return before;
                }));
  }

  private void bound(Session session) throws SQLException {
    if (dialect != Dialect.SQLITE) {
      session.update("bound-transaction");
    }
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    return engine.read(
        session ->
            session.query(
                rows -> {
                  List<Binding> found = new ArrayList<>();
                  while (rows.next()) {
                    found.add(binding(rows));
                  }
                  return found;
                },
                "object-bindings",
                query.type(),
                query.after(),
                query.after(),
                query.limit()));
  }

  private static Binding binding(ResultSet row) throws SQLException {
    String type = row.getString(1);
    String id = row.getString(2);
    ObjectScope scope =
        id.isEmpty() ? ObjectScope.all(type) : ObjectScope.one(ObjectName.of(type, id));
    return new Binding(
        scope, new LeaseKey(row.getString(3)), new Operator(row.getString(4)), row.getLong(5));
  }

  @Override
  public Subscription watch(String type, ObjectListener listener) {
    return hints.watchObjects(type, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return purge(query, 0, 0);
  }

  private CompletionStage<PurgeReport> purge(PurgeQuery query, int bucket, int purged) {
    int left = query.limit() - purged;
    if (bucket >= Buckets.COUNT || left == 0) {
      return CompletableFuture.completedFuture(new PurgeReport(purged));
    }
    ObjectPurge.Range range = new ObjectPurge.Range(bucket, bucket + PURGE_RANGE, left);
    return engine
        .change(
            transactions ->
                transactions.run(
                    session -> {
                      bound(session);
                      return purge.purge(session, range, query.deadForMillis());
                    }))
        .thenCompose(
            gone -> {
              boolean more = gone == Math.min(left, ObjectPurge.PAGE);
              return purge(query, more ? bucket : bucket + PURGE_RANGE, purged + gone);
            });
  }
}
