package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Dialect.Guarding;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.ledger.Reports;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Transactions of a store in which users' changes are made: how they begin, last and end. */
public final class Effects {
  /** With one writer, renewals have to wait for the change. */
  private static final long LONGEST_ALONE_MILLIS = 2_000;

  private static final int SHARE_OF_A_TTL = 6;
  private static final long SHORTEST_KNOWN_FOR_NANOS = 1_000_000_000;

  /** The server reports slightly later that it has ended a transaction. */
  private static final int ANSWER_MILLIS = 1_000;

  private final Parts parts;
  private final Backoff backoff = new Backoff();

  private final ReentrantLock alone = new ReentrantLock();

  private volatile ShortestTtl shortest = new ShortestTtl(Long.MAX_VALUE, Long.MIN_VALUE);

  public Effects(Parts parts) {
    this.parts = parts;
  }

  /** The parts of the store that this class needs. */
  public record Parts(
      Namespace namespace,
      ConnectionSource connections,
      RollbackDetector detector,
      Audit audit,
      Ticker ticker) {
    Dialect dialect() {
      return namespace.dialect();
    }
  }

  /** Where refusals are reported. */
  public record Audit(Suspicions suspicions, Reports reports) {}

  /** The shortest ttl of the current grants, and when it was looked up. */
  private record ShortestTtl(long millis, long atNanos) {}

  /** The check was rolled back because of concurrent transactions; the change has not run. */
  private static final class NotBegun extends SQLException {
    private static final long serialVersionUID = 1L;

    NotBegun(SQLException cause) {
      super(cause.getMessage(), cause.getSQLState(), cause);
    }
  }

  Dialect dialect() {
    return parts.dialect();
  }

  /** For statements on users' connections. */
  Namespace namespace() {
    return parts.namespace();
  }

  String storeId() {
    return parts.detector().storeId();
  }

  /** The store id that checks compare; empty if the store is refused for a rollback. */
  Optional<String> usableId() {
    return parts.detector().refusal().isEmpty() ? Optional.of(storeId()) : Optional.empty();
  }

  /** Why no check is possible on a user's connection. */
  StoreUnusableException unusable(String sentence) {
    return new StoreUnusableException(parts.detector().refusal().orElse(sentence));
  }

  /** Reports a refusal to the audit; an unissued token is also reported as a suspected rollback. */
  public void refused(String target, Claim claim, CurrentRow row, Admission.Refused answer) {
    boolean unissued = answer instanceof Admission.Unissued;
    LedgerEntry report =
        new LedgerEntry.Refused(RequestId.random(), target, claim, answer, unissued);
    if (unissued) {
      parts.audit().suspicions().add(row.suspicion(claim), report);
    } else {
      parts.audit().reports().add(report);
    }
  }

  /** The caller's connection may lead to a copy, and the store may have gone back. */
  void requireSameStore(CurrentRow row) {
    parts
        .detector()
        .refusal()
        .ifPresent(
            why -> {
              throw new StoreUnusableException(why);
            });
    if (!row.storeId().equals(parts.detector().storeId())) {
      throw new StoreUnusableException(
          "this connection leads to store "
              + row.storeId()
              + ", and the lease is in "
              + parts.detector().storeId()
              + ": a change can be checked only in the database of its lease");
    }
  }

  /** Reads the record without a lock. */
  CurrentRow see(Claim claim) {
    try {
      return onConnection(
          connection -> {
            connection.autoCommit(true);
            return CurrentRow.find(
                connection, "see-current", Buckets.of(claim.key()), claim.key().text());
          });
    } catch (SQLException e) {
      throw StoreUnusableException.unreachable(
          "the store cannot be reached: " + Failures.text(e), e);
    }
  }

  <T> Changed<T> change(
      Claim claim, Duration trustLeft, Function<CurrentRow, Admission> judge, Effect<T> effect)
      throws SQLException {
    EffectDeadline deadline = EffectDeadline.in(parts.ticker(), trustLeft);
    ConnectionWork<Changed<T>> attempt =
        connection -> new Attempt<>(connection, claim, judge, effect).run(deadline);
    for (int restarts = 0; true; restarts++) {
      try {
        return onConnection(attempt);
      } catch (NotBegun e) {
        if (restarts == Backoff.MAX_RESTARTS || deadline.isOver()) {
          throw e;
        }
        backoff.beforeRestart(restarts);
      }
    }
  }

  /** With one writer there is one connection: using it inside a change would end that change. */
  private <T> T onConnection(ConnectionWork<T> work) throws SQLException {
    if (!parts.dialect().hasOneWriter()) {
      return parts.connections().use(work);
    }
    if (alone.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "from inside of a change, only its own connection can be used");
    }
    alone.lock();
    try {
      return parts.connections().use(work);
    } finally {
      alone.unlock();
    }
  }

  /** One attempt at a change, on one connection. */
  private final class Attempt<T> {
    private final StoreConnection connection;
    private final Claim claim;
    private final Function<CurrentRow, Admission> judge;
    private final Effect<T> effect;

    Attempt(
        StoreConnection connection,
        Claim claim,
        Function<CurrentRow, Admission> judge,
        Effect<T> effect) {
      this.connection = connection;
      this.claim = claim;
      this.judge = judge;
      this.effect = effect;
    }

    Changed<T> run(EffectDeadline trust) throws SQLException {
      trust.require();
      long longestMillis = longestMillis(trust);
      connection.autoCommit(false);
      boolean committed = false;
      try {
        EffectDeadline deadline = withWriteLock(trust, longestMillis);
        Admission admission = judge.apply(begin(deadline));
        if (admission instanceof Admission.Refused refused) {
          return new Changed.NotMade<>(refused);
        }
        T result = make(deadline);
        if (parts.dialect().guarding() == Guarding.BY_TEXT) {
          connection.update("take-back");
        }
        deadline.require();
        connection.jdbc().commit();
        committed = true;
        return new Changed.Made<>(result);
      } finally {
        if (!committed) {
          connection.rollBack();
        }
      }
    }

    /** How long the change may last once it has begun; a server is given its time limits too. */
    private long longestMillis(EffectDeadline trust) throws SQLException {
      if (parts.dialect().hasOneWriter()) {
        return Math.min(LONGEST_ALONE_MILLIS, shortestTtlMillis(connection) / SHARE_OF_A_TTL);
      }
      long timeout = Math.min(Integer.MAX_VALUE, trust.leftMillis() + ANSWER_MILLIS);
      connection.jdbc().setNetworkTimeout(Runnable::run, (int) timeout);
      return timeout;
    }

    /** Other writers wait only from when the lock is taken, so the bound counts from then on. */
    private EffectDeadline withWriteLock(EffectDeadline trust, long longestMillis)
        throws SQLException {
      if (!parts.dialect().hasOneWriter()) {
        return trust;
      }
      try {
        connection.update("take-write-lock");
      } catch (SQLException e) {
        throw restarting(e);
      }
      return trust.atMost(longestMillis);
    }

    private static SQLException restarting(SQLException e) {
      return Failures.of(e) == Failures.RESTART ? new NotBegun(e) : e;
    }

    private CurrentRow begin(EffectDeadline deadline) throws SQLException {
      try {
        return parts.dialect().hasOneWriter() ? beginAlone() : beginBeside(deadline);
      } catch (SQLException e) {
        throw restarting(e);
      }
    }

    private CurrentRow beginAlone() throws SQLException {
      // This is the only writer now, so any row that is left belongs to a change that did not
      // remove it.
      connection.update("take-back");
      connection.update(
          "bring", claim.key().text(), claim.token().value(), claim.instanceId().orElse(null));
      return checked();
    }

    private CurrentRow checked() throws SQLException {
      int bucket = Buckets.of(claim.key());
      return CurrentRow.find(connection, "check-current", bucket, claim.key().text(), bucket);
    }

    /** One statement checks, limits the transaction and brings the claim; another one refuses. */
    private CurrentRow beginBeside(EffectDeadline deadline) throws SQLException {
      Optional<CurrentRow> acting =
          connection.first(
              row -> CurrentRow.acting(row.getString(1), claim),
              "begin-effect",
              Buckets.of(claim.key()),
              claim.key().text(),
              claim.token().value(),
              claim.instanceId().orElse(null),
              UserTransaction.limit(Duration.ofMillis(deadline.leftMillis())));
      return acting.isPresent() ? acting.get() : checked();
    }

    private T make(EffectDeadline deadline) throws SQLException {
      EffectConnection lent = new EffectConnection(connection.jdbc(), deadline);
      try {
        return effect.make(lent.lent());
      } finally {
        lent.takeBack();
      }
    }
  }

  /** Looked up at most once a second, because it reads every lease. */
  private long shortestTtlMillis(StoreConnection connection) throws SQLException {
    long now = parts.ticker().nanos();
    ShortestTtl known = shortest;
    boolean fresh =
        known.atNanos() != Long.MIN_VALUE && now - known.atNanos() < SHORTEST_KNOWN_FOR_NANOS;
    if (fresh) {
      return known.millis();
    }
    connection.autoCommit(true);
    long found =
        connection.query(
            rows -> {
              long millis = rows.next() ? rows.getLong(1) : 0;
              return rows.wasNull() ? Long.MAX_VALUE : millis;
            },
            "shortest-ttl");
    shortest = new ShortestTtl(found, now);
    return found;
  }

  public void close() {
    parts.connections().close();
  }
}
