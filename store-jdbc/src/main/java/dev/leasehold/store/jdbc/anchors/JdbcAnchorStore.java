package dev.leasehold.store.jdbc.anchors;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorRecord;
import dev.leasehold.blocks.rows.spi.AnchorRules;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.Orphan;
import dev.leasehold.blocks.rows.spi.SessionRules;
import dev.leasehold.blocks.rows.spi.SessionStanding;
import dev.leasehold.blocks.rows.spi.SessionState;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Anchors in the same database as the leases. */
public final class JdbcAnchorStore implements AnchorStore {
  private final Engine engine;

  public JdbcAnchorStore(Engine engine) {
    this.engine = engine;
  }

  private <T> CompletionStage<T> inOneTransaction(ConnectionWork<T> work) {
    return engine.change(transactions -> transactions.runBounded(work));
  }

  @Override
  public CompletionStage<OpenResult> open(SessionGrant session) {
    return inOneTransaction(
        connection -> {
          SessionStanding standing =
              SessionRules.standing(LockedSessions.lock(connection, session).state(session));
          return standing instanceof SessionStanding.Alive
              ? insert(connection, session)
              : new OpenResult.Refused(standing);
        });
  }

  private static OpenResult insert(StoreConnection connection, SessionGrant session)
      throws SQLException {
    long served = connection.number("next-anchors");
    long own = served - 1;
    int bucket = Buckets.of(session.key());
    String key = session.key().text();
    long token = session.token().value();
    connection.update("insert-anchors", own, bucket, key, token, served, bucket, key, token);
    return new OpenResult.Opened(new Anchor(own), new Anchor(served));
  }

  @Override
  public CompletionStage<List<AnchorRecord>> under(SessionGrant session) {
    return engine.read(
        connection ->
            connection.list(
                row -> record(row, 1),
                "anchors-of-session",
                session.key().text(),
                session.token().value()));
  }

  private static AnchorRecord record(ResultSet row, int from) throws SQLException {
    long since = row.getLong(from + 4);
    OptionalLong unheardSince = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(since);
    return new AnchorRecord(
        new Anchor(row.getLong(from)),
        new SessionGrant(new LeaseKey(row.getString(from + 1)), new Token(row.getLong(from + 2))),
        row.getBoolean(from + 3),
        unheardSince);
  }

  @Override
  public CompletionStage<List<Orphan>> orphans(Optional<Anchor> after, int limit) {
    long last = after.map(Anchor::number).orElse(0L);
    return engine.read(
        connection -> connection.list(this::orphan, "orphaned-anchors", last, limit));
  }

  private Orphan orphan(ResultSet row) throws SQLException {
    AnchorRecord anchor = record(row, LockedSessions.COLUMNS + 1);
    return new Orphan(anchor, LockedSessions.read(row).state(anchor.session()));
  }

  @Override
  public CompletionStage<Boolean> adopt(Anchor anchor, SessionGrant ended, SessionGrant adopter) {
    return inOneTransaction(
        connection -> {
          LockedSessions sessions = LockedSessions.lock(connection, ended, adopter);
          Optional<AnchorRecord> before = lock(connection, anchor);
          if (before.isEmpty()) {
            return false;
          }
          AnchorRules.Adoption adoption =
              new AnchorRules.Adoption(
                  ended,
                  sessions.state(ended),
                  adopter,
                  SessionRules.standing(sessions.state(adopter)));
          Optional<AnchorRecord> after =
              AnchorRules.adopted(before.get(), adoption, sessions.moment());
          if (after.isPresent()) {
            write(connection, after.get());
          }
          return after.isPresent() || AnchorRules.wasAdopted(before.get(), adopter);
        });
  }

  private static Optional<AnchorRecord> lock(StoreConnection connection, Anchor anchor)
      throws SQLException {
    return connection.first(row -> record(row, 1), "lock-anchor", anchor.number());
  }

  private static void write(StoreConnection connection, AnchorRecord adopted) throws SQLException {
    connection.update(
        "adopt-anchor",
        Buckets.of(adopted.session().key()),
        adopted.session().key().text(),
        adopted.session().token().value(),
        adopted.unheardSinceMillis().orElseThrow(),
        adopted.anchor().number());
  }

  @Override
  public CompletionStage<Boolean> forget(Anchor anchor, SessionGrant under) {
    return inOneTransaction(
        connection -> {
          SessionState state = LockedSessions.lock(connection, under).state(under);
          boolean mayBe =
              lock(connection, anchor)
                  .filter(found -> AnchorRules.mayBeForgotten(found, under, state))
                  .isPresent();
          return mayBe && connection.update("forget-anchor", anchor.number()) > 0;
        });
  }
}
