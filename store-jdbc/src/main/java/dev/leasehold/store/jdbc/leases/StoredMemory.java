package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The requests that are remembered for one key, read when a rule asks for them and under the lock
 * of the row. The acquire and the release of the latest grant are in the row; those of earlier
 * grants are stored with each grant; rarer requests are in a table of their own.
 */
final class StoredMemory implements RequestMemory {
  private final StoreConnection connection;
  private final LeaseRow row;
  private final boolean mayRecall;
  private final Command command;
  private final LeaseKey key;
  private final int bucket;

  /** Of the command's own request; read only once. */
  private Optional<List<Remembered>> recalled = Optional.empty();

  private final long oldestMillis;

  /** Effects before the oldest moment are forgotten. */
  StoredMemory(
      StoreConnection connection, LeaseRow.Found found, Command command, long oldestMillis) {
    this.connection = connection;
    this.row = found.row();
    this.mayRecall = found.mayRecall();
    this.command = command;
    this.oldestMillis = oldestMillis;
    this.key = command.key();
    this.bucket = Buckets.of(key);
  }

  /** Reading failed in the middle of a decision. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient SQLException failure;

    Unreadable(SQLException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  @Override
  public Optional<Remembered> effectOf(Remembered.Request request) {
    if (row.record().isBlank()) {
      // A key's requests are removed together with its record.
      return Optional.empty();
    }
    try {
      Optional<Remembered> effect =
          request.verb() == Remembered.Verb.RELEASE
              ? release(request)
              : inRow(request).or(() -> recall(request));
      return effect.filter(e -> e.atMillis() >= oldestMillis);
    } catch (SQLException e) {
      throw new Unreadable(e);
    }
  }

  private Optional<Remembered> inRow(Remembered.Request request) {
    return row.record()
        .grant()
        .filter(grant -> request.verb() == Remembered.Verb.ACQUIRE && !row.inherited())
        .filter(grant -> grant.requestId().equals(request.requestId()))
        .filter(grant -> request.caller().equals(new Caller.Holder(grant.instanceId())))
        .map(grant -> new Remembered(request, grant.token(), grant.grantedAtMillis()));
  }

  private Optional<Remembered> recall(Remembered.Request request) {
    if (!mayRecall) {
      return Optional.empty();
    }
    try {
      if (recalled.isEmpty()) {
        recalled = Optional.of(recallAll(request.requestId()));
      }
      return recalled.get().stream().filter(r -> r.request().equals(request)).findFirst();
    } catch (SQLException e) {
      throw new Unreadable(e);
    }
  }

  private List<Remembered> recallAll(RequestId id) throws SQLException {
    return connection.list(
        row -> remembered(id, row),
        "recall-request",
        id.text(),
        bucket,
        key.text(),
        id.text(),
        bucket,
        key.text());
  }

  private static Remembered remembered(RequestId id, ResultSet row) throws SQLException {
    Remembered.Verb verb = Remembered.Verb.valueOf(row.getString(1));
    Caller caller =
        switch (verb) {
          case ACQUIRE, ABANDON, RELEASE, HAND_OVER ->
              new Caller.Holder(new InstanceId(row.getString(2)));
          case REVOKE, REOPEN -> new Caller.ByOperator(new Operator(row.getString(2)));
        };
    return new Remembered(
        new Remembered.Request(id, caller, verb), new Token(row.getLong(3)), row.getLong(4));
  }

  static String text(Caller caller) {
    return switch (caller) {
      case Caller.Holder holder -> holder.instanceId().text();
      case Caller.ByOperator by -> by.operator().name();
    };
  }

  /** A release brings the token of the grant that it ended, and is found by that. */
  private Optional<Remembered> release(Remembered.Request request) throws SQLException {
    if (!(command instanceof Command.Release brought)) {
      return Optional.empty();
    }
    Token token = brought.token();
    Optional<Token> latest = row.record().grant().map(grant -> grant.token());
    Optional<Ended> ended =
        latest.equals(Optional.of(token))
            ? row.endRequest()
                .map(
                    by ->
                        new Ended(
                            by,
                            row.record().grant().get().instanceId(),
                            row.record().writtenAtMillis()))
            : past(token).flatMap(Past::ended);
    return ended
        .filter(e -> e.by().equals(request.requestId()))
        .filter(e -> request.caller().equals(new Caller.Holder(e.instanceId())))
        .map(e -> new Remembered(request, token, e.atMillis()));
  }

  private record Ended(RequestId by, InstanceId instanceId, long atMillis) {}

  private record Past(Optional<Ended> ended, LossReason reason) {}

  private Optional<Past> past(Token token) throws SQLException {
    return connection.first(StoredMemory::past, "recall-grant", bucket, key.text(), token.value());
  }

  private static Past past(ResultSet row) throws SQLException {
    InstanceId instanceId = new InstanceId(row.getString(1));
    long atMillis = row.getLong(3);
    Optional<Ended> ended =
        Optional.ofNullable(row.getString(2))
            .map(by -> new Ended(new RequestId(by), instanceId, atMillis));
    return new Past(ended, Reasons.read(row, 4));
  }

  @Override
  public Optional<LossReason> endOf(Token token) {
    try {
      return past(token).map(Past::reason);
    } catch (SQLException e) {
      throw new Unreadable(e);
    }
  }
}
