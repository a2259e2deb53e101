package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.rows.RowStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Versioned objects in the same database as the leases. */
public final class JdbcObjectStore implements ObjectStore {
  private final Engine engine;
  private final RowStore<ObjectCommand, ObjectOutcome, ObjectChange> rows;
  private final ObjectTable table;
  private final Limits limits;

  public JdbcObjectStore(RowStore.Parts parts) {
    this.engine = parts.engine();
    this.limits = parts.limits();
    this.table = new ObjectTable(parts);
    this.rows = new RowStore<>(parts, table);
  }

  @Override
  public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
    return rows.apply(batch);
  }

  @Override
  public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
    if (names.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return engine.read(
        connection -> {
          List<Optional<VersionedObject>> found =
              new ArrayList<>(Collections.nCopies(names.size(), Optional.empty()));
          connection.each(
              row -> found.set((int) row.getLong(1) - 1, Optional.of(object(row, 2))),
              "read-objects",
              connection.columns(names.stream().map(table::columns).toList()));
          return found;
        });
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
        connection ->
            page(
                connection,
                query,
                connection.list(
                    row -> object(row, 1),
                    "list-objects",
                    query.type(),
                    query.after(),
                    query.limit(),
                    (long) ObjectQuery.MAX_PAGE_BYTES)));
  }

  /** A page may end early because of its payloads, so a query must find whether more follows. */
  private static ObjectPage page(
      StoreConnection connection, ObjectQuery query, List<VersionedObject> found)
      throws SQLException {
    if (found.isEmpty()) {
      return new ObjectPage(found, Optional.empty());
    }
    String last = found.getLast().name().id();
    boolean more = connection.query(ResultSet::next, "more-objects", query.type(), last);
    return new ObjectPage(found, more ? Optional.of(last) : Optional.empty());
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return rebind(
        scope,
        connection ->
            connection.update("insert-binding", scope.type(), scope.id(), key.text(), by.name()));
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    return rebind(scope, connection -> 0);
  }

  private CompletionStage<Optional<LeaseKey>> rebind(
      ObjectScope scope, ConnectionWork<Integer> then) {
    return engine.change(
        transactions ->
            transactions.runBounded(
                connection -> {
                  connection.update("lock-out-object-writers");
                  Optional<LeaseKey> before =
                      connection.first(
                          row -> new LeaseKey(row.getString(1)),
                          "read-binding",
                          scope.type(),
                          scope.id());
                  connection.update("delete-binding", scope.type(), scope.id());
                  int unused = then.run(connection);
                  return before;
                }));
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    return engine.read(
        connection ->
            connection.list(
                JdbcObjectStore::binding,
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
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    return rows.watch(type, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return rows.purge(ObjectPurge.after(query.deadForMillis(), limits), query.limit());
  }
}
