package dev.leasehold.store.jdbc.leases;

import static java.util.stream.Collectors.joining;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.batches.Transactions;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.changes.SequenceCursor;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
import dev.leasehold.store.jdbc.health.Sentry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * SQLite: one writer at a time in all the world, so there is one thread that writes. The rules
 * decide each command; whatever waits to be written shares one transaction, renewals first.
 */
public final class SqliteEngine implements LeaseEngine {
  /** Commands in one transaction, so that none waits too long for its commit. */
  private static final int MAX_GROUP = 4_000;

  /** For whatever must work on a store that has gone back, too. */
  private final Sessions writing;

  private final Sessions commanding;
  private final Sessions reading;
  private final Limits limits;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final ChangeLines lines;
  private final Lane writer = new Lane("sqlite-writer", 1);
  private final Lane reader = new Lane("sqlite-reader", 1);

  public SqliteEngine(Connector connector, Limits limits, ChangeLines lines, Sentry sentry) {
    this.writing = new Sessions.Kept(connector);
    this.commanding = sentry.guard(writing);
    this.reading = new Sessions.Kept(connector);
    this.limits = limits;
    this.lines = lines;
  }

  /** A batch and who waits for it. */
  private record Waiting(List<Command> batch, CompletableFuture<List<Settled>> answer) {
    boolean isForRenewal() {
      return batch.getFirst() instanceof Command.Renew;
    }
  }

  @Override
  public CompletionStage<List<Settled>> apply(List<Command> batch) {
    Waiting mine = new Waiting(batch, new CompletableFuture<>());
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
    List<Waiting> group = new ArrayList<>();
    int size = 0;
    Waiting next;
    while (size < MAX_GROUP && (next = waiting.poll()) != null) {
      if (next.answer.isDone()) {
        // Nobody waits any more, and whoever asked may have asked for something else since.
        continue;
      }
      group.add(next);
      size += next.batch.size();
    }
    group.sort(Comparator.comparing(one -> !one.isForRenewal()));
    try {
      answer(group, settle(group.stream().flatMap(one -> one.batch.stream()).toList()));
    } catch (RuntimeException | Error e) {
      group.forEach(one -> one.answer.completeExceptionally(e));
      throw e;
    }
    return size;
  }

  private static void answer(List<Waiting> group, List<Settled> settled) {
    int from = 0;
    for (Waiting one : group) {
      one.answer.complete(settled.subList(from, from + one.batch.size()));
      from += one.batch.size();
    }
  }

  private List<Settled> settle(List<Command> batch) {
    if (batch.isEmpty()) {
      return List.of();
    }
    try {
      return commanding.use(session -> asOnlyWriter(session, s -> decide(s, batch)));
    } catch (RuntimeException e) {
      return batch.size() > 1
          ? settleEach(batch)
          : List.of(Settled.failed(Certainty.NOT_APPLIED, e.toString()));
    } catch (SQLException e) {
      if (batch.size() > 1 && Failures.of(e) == Failures.REFUSED) {
        return settleEach(batch);
      }
      Certainty certainty =
          Failures.of(e) == Failures.CUT_OFF ? Certainty.UNKNOWN : Certainty.NOT_APPLIED;
      return batch.stream().map(command -> Settled.failed(certainty, Failures.text(e))).toList();
    }
  }

  /** One of them may be to blame. */
  private List<Settled> settleEach(List<Command> batch) {
    return batch.stream().map(command -> settle(List.of(command)).getFirst()).toList();
  }

  private List<Settled> decide(Session session, List<Command> batch) throws SQLException {
    List<Settled> settled = SqliteBatch.decide(session, limits, batch);
    SequenceCursor.post(
        session, lines.texts(settled.stream().flatMap(one -> one.changes().stream()).toList()));
    return settled;
  }

  /**
   * Revokes what is held under these ids, at once. Finding and revoking are one transaction: a key
   * that somebody else has by then is not touched.
   */
  public CompletionStage<List<Settled>> revokeGrantsOf(
      Set<InstanceId> ids, Operator by, Explanation why) {
    return writer.submit(
        () ->
            commanding.use(
                session ->
                    asOnlyWriter(session, s -> decide(s, revokes(keysOf(s, ids), by, why)))));
  }

  private static List<LeaseKey> keysOf(Session session, Set<InstanceId> ids) throws SQLException {
    String json = ids.stream().map(InstanceId::text).collect(joining("\",\"", "[\"", "\"]"));
    return session.query(
        rows -> {
          List<LeaseKey> keys = new ArrayList<>();
          while (rows.next()) {
            keys.add(new LeaseKey(rows.getString(1)));
          }
          return keys;
        },
        "grants-of",
        json);
  }

  private static List<Command> revokes(List<LeaseKey> keys, Operator by, Explanation why) {
    return keys.stream()
        .<Command>map(
            key -> new Command.Revoke(key, by, why, Command.Reopening.NOW, RequestId.random()))
        .toList();
  }

  /**
   * With the write lock from the beginning: nothing that was read can change meanwhile. The driver
   * must know of the transaction: else it tries to begin and end one around each statement.
   */
  private static <T> T asOnlyWriter(Session session, Work<T> work) throws SQLException {
    return session.inTransaction(
        s -> {
          s.update("take-write-lock");
          return work.run(s);
        });
  }

  @Override
  public <T> CompletionStage<T> read(Work<T> work) {
    return reader.submit(() -> reading.use(work));
  }

  @Override
  public <T> CompletionStage<T> transact(Work<T> work) {
    return writer.submit(() -> writing.use(session -> asOnlyWriter(session, work)));
  }

  @Override
  public <T> CompletionStage<T> change(Changing<T> changing) {
    return writer.submit(() -> changing.in(new OnlyWriter()));
  }

  /** A commit that broke off is not tried again: the file may be in trouble. */
  private final class OnlyWriter implements Transactions {
    private boolean cutOff;

    @Override
    public <T> T run(Work<T> work) throws SQLException {
      try {
        return commanding.use(session -> asOnlyWriter(session, work));
      } catch (SQLException e) {
        cutOff |= Failures.of(e) == Failures.CUT_OFF;
        throw e;
      }
    }

    @Override
    public <T> T runStatement(Work<T> work) throws SQLException {
      return run(work);
    }

    @Override
    public boolean wasCutOff() {
      return cutOff;
    }
  }

  /** Whoever is in an immediate transaction is the only writer. */
  @Override
  public void lockOutWriters(Session session) {}

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
