package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * SQLite: the file has one writer at a time, so this engine has one writing thread. The rules
 * decide each command. Pending commands of all tables share one transaction, and urgent commands go
 * first.
 */
public final class SqliteEngine implements Engine {
  /** The most commands in one transaction, so that none waits too long for its commit. */
  private static final int MAX_GROUP = 4_000;

  /** For work that must succeed even if the store has gone back. */
  private final ConnectionSource writing;

  private final ConnectionSource commanding;
  private final ConnectionSource reading;
  private final Queue<Waiting<?, ?, ?>> waiting = new ConcurrentLinkedQueue<>();
  private final Lane writer = new Lane("sqlite-writer", 1);
  private final Lane reader = new Lane("sqlite-reader", 1);

  /** {@code guard} keeps commands from a store that has gone back. */
  public SqliteEngine(Connector connector, UnaryOperator<ConnectionSource> guard) {
    this.writing = new ConnectionSource.Kept(connector);
    this.commanding = guard.apply(writing);
    this.reading = new ConnectionSource.Kept(connector);
  }

  /** A batch, and the future of its caller. */
  private record Waiting<K, C, S>(
      Table<K, C, S> table, List<C> batch, CompletableFuture<List<S>> answer) {
    boolean isUrgent() {
      return table.isUrgent(batch.getFirst());
    }

    List<Item<C, S>> items() {
      return batch.stream().map(command -> new Item<>(table, command)).toList();
    }

    void answer(List<Item<?, ?>> items) {
      answer.complete(items.stream().map(this::settled).toList());
    }

    /** Casts an item that is known to belong to this batch. */
    @SuppressWarnings("unchecked")
    private S settled(Item<?, ?> item) {
      return ((Item<C, S>) item).settled.orElseThrow();
    }
  }

  /** One command and its result. */
  private static final class Item<C, S> {
    final Table<?, C, S> table;
    final C command;
    Optional<S> settled = Optional.empty();

    Item(Table<?, C, S> table, C command) {
      this.table = table;
      this.command = command;
    }

    void fail(Certainty certainty, String why) {
      settled = Optional.of(table.failed(certainty, why));
    }
  }

  @Override
  public <K, C, S> Batches<C, S> open(Table<K, C, S> table) {
    return batch -> apply(new Waiting<>(table, batch, new CompletableFuture<>()));
  }

  private <K, C, S> CompletionStage<List<S>> apply(Waiting<K, C, S> mine) {
    waiting.add(mine);
    var unused =
        writer
            .submit(this::settleWaiting)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    mine.answer.completeExceptionally(failure);
                  }
                });
    return mine.answer;
  }

  private int settleWaiting() {
    List<Waiting<?, ?, ?>> group = new ArrayList<>();
    int size = 0;
    Waiting<?, ?, ?> next;
    while (size < MAX_GROUP && (next = waiting.poll()) != null) {
      if (next.answer.isDone()) {
        // The caller has got a timeout, and may have sent a different command since.
        continue;
      }
      group.add(next);
      size += next.batch.size();
    }
    group.sort(Comparator.comparing(one -> !one.isUrgent()));
    try {
      List<Item<?, ?>> items = new ArrayList<>();
      group.forEach(one -> items.addAll(one.items()));
      settle(items);
      answer(group, items);
    } catch (RuntimeException | Error e) {
      group.forEach(one -> one.answer.completeExceptionally(e));
      throw e;
    }
    return size;
  }

  private static void answer(List<Waiting<?, ?, ?>> group, List<Item<?, ?>> items) {
    int from = 0;
    for (Waiting<?, ?, ?> one : group) {
      one.answer(items.subList(from, from + one.batch.size()));
      from += one.batch.size();
    }
  }

  /** Settles all in one transaction. If one command may make it fail, retries by halves. */
  private void settle(List<Item<?, ?>> items) {
    if (items.isEmpty()) {
      return;
    }
    try {
      commanding.use(connection -> asOnlyWriter(connection, s -> decideAll(s, items)));
    } catch (RuntimeException e) {
      settleHalves(items, Certainty.NOT_APPLIED, e.toString());
    } catch (SQLException e) {
      Certainty certainty =
          Failures.of(e) == Failures.CUT_OFF ? Certainty.UNKNOWN : Certainty.NOT_APPLIED;
      if (Failures.of(e) == Failures.REFUSED) {
        settleHalves(items, certainty, Failures.text(e));
      } else {
        items.forEach(item -> item.fail(certainty, Failures.text(e)));
      }
    }
  }

  private void settleHalves(List<Item<?, ?>> items, Certainty certainty, String why) {
    if (items.size() == 1) {
      items.getFirst().fail(certainty, why);
    } else {
      settle(items.subList(0, items.size() / 2));
      settle(items.subList(items.size() / 2, items.size()));
    }
  }

  /** Decides each table's commands together, in order: one query reads many rows. */
  private static int decideAll(StoreConnection connection, List<Item<?, ?>> items)
      throws SQLException {
    for (Table<?, ?, ?> table : items.stream().map(item -> item.table).distinct().toList()) {
      decide(connection, table, items);
    }
    return items.size();
  }

  private static <K, C, S> void decide(
      StoreConnection connection, Table<K, C, S> table, List<Item<?, ?>> items)
      throws SQLException {
    List<Item<C, S>> ofTable = new ArrayList<>();
    for (Item<?, ?> item : items) {
      if (item.table.equals(table)) {
        @SuppressWarnings("unchecked") // an item has the types of its table
        Item<C, S> one = (Item<C, S>) item;
        ofTable.add(one);
      }
    }
    List<S> settled = table.decide(connection, ofTable.stream().map(item -> item.command).toList());
    for (int i = 0; i < ofTable.size(); i++) {
      ofTable.get(i).settled = Optional.of(settled.get(i));
    }
  }

  /**
   * Takes the write lock at the beginning, so that nothing it reads can change meanwhile. The
   * driver must know of the transaction, or it begins and ends one around each statement.
   */
  private static <T> T asOnlyWriter(StoreConnection connection, ConnectionWork<T> work)
      throws SQLException {
    return connection.inTransaction(
        s -> {
          s.update("take-write-lock");
          return work.run(s);
        });
  }

  @Override
  public <T> CompletionStage<T> read(ConnectionWork<T> work) {
    return reader.submit(() -> reading.use(work));
  }

  @Override
  public <T> CompletionStage<T> transact(ConnectionWork<T> work) {
    return writer.submit(() -> writing.use(connection -> asOnlyWriter(connection, work)));
  }

  @Override
  public <T> CompletionStage<T> change(Changing<T> changing) {
    return writer.submit(() -> changing.in(new OnlyWriter()));
  }

  /** Does not retry a commit that failed midway, because the file may be damaged. */
  private final class OnlyWriter implements Transactions {
    @Override
    public <T> T run(ConnectionWork<T> work) throws SQLException {
      return commanding.use(connection -> asOnlyWriter(connection, work));
    }

    @Override
    public <T> T runBounded(ConnectionWork<T> work) throws SQLException {
      return run(work);
    }
  }

  /** Nothing to do: an immediate transaction is the only writer. */
  @Override
  public void lockOutWriters(StoreConnection connection) {}

  @Override
  public long restarts() {
    return 0;
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
    writing.close();
    reading.close();
  }
}
