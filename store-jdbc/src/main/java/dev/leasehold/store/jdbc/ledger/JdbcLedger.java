package dev.leasehold.store.jdbc.ledger;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.TableFacts;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The ledger, in tables beside those of the leases and in transactions of its own. */
public final class JdbcLedger implements Ledger {
  private final Engine engine;

  public JdbcLedger(Engine engine) {
    this.engine = engine;
  }

  @Override
  public CompletionStage<Void> write(List<LedgerEntry> entries) {
    if (entries.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return engine.transact(connection -> write(connection, entries)).thenAccept(written -> {});
  }

  private static int write(StoreConnection connection, List<LedgerEntry> entries)
      throws SQLException {
    int written = 0;
    boolean refusals = false;
    for (LedgerEntry entry : entries) {
      written +=
          switch (entry) {
            case LedgerEntry.Chartered chartered -> publish(connection, chartered);
            case LedgerEntry.Sealing sealing -> seal(connection, sealing);
            case LedgerEntry.Refused refused -> refuse(connection, refused);
          };
      refusals |= entry instanceof LedgerEntry.Refused;
    }
    if (refusals) {
      connection.update("trim-refusals", false, REFUSALS_KEPT);
      connection.update("trim-refusals", true, REFUSALS_KEPT);
    }
    return written;
  }

  private static int publish(StoreConnection connection, LedgerEntry.Chartered entry)
      throws SQLException {
    String kind = entry.charter().kind();
    String text = CharterText.of(entry.charter());
    int published =
        connection.update("publish-charter", kind, CharterText.digest(text), text, entry.holder());
    connection.update("trim-charters", kind, kind, CHARTERS_KEPT);
    return published;
  }

  private static int seal(StoreConnection connection, LedgerEntry.Sealing entry)
      throws SQLException {
    String kind = entry.key().kind();
    String target = entry.target();
    String key = entry.key().text();
    long token = entry.token().value();
    boolean failed = entry.failure().isPresent();
    if (!failed) {
      connection.update("make-up-for-failed-seal", kind, target, key, token);
    }
    int written =
        connection.update(
            "write-seal",
            kind,
            target,
            failed ? key : "",
            key,
            token,
            entry.holder(),
            entry.failure().orElse(""));
    if (failed) {
      connection.update("trim-failed-seals", kind, target, kind, target, FAILED_SEALS_KEPT);
    }
    return written;
  }

  private static int refuse(StoreConnection connection, LedgerEntry.Refused entry)
      throws SQLException {
    return connection.update(
        "write-refusal",
        entry.id().text(),
        entry.suspectsRollback(),
        entry.target(),
        entry.claim().key().text(),
        entry.claim().token().value(),
        switch (entry.answer()) {
          case Admission.Stale stale -> "stale";
          case Admission.Unissued unissued -> "unissued";
        },
        entry.answer().bound().map(Token::value).orElse(null),
        entry.claim().who());
  }

  @Override
  public CompletionStage<LedgerReading> read() {
    return engine.read(
        connection ->
            new LedgerReading(
                connection.number("clock"),
                connection.list(JdbcLedger::charter, "charters"),
                connection.list(JdbcLedger::seal, "seals"),
                connection.list(JdbcLedger::refusal, "refusals"),
                connection.onUsersPath(JdbcLedger::tables)));
  }

  private static TableFacts tables(StoreConnection connection) throws SQLException {
    return new TableFacts(
        connection.list(JdbcLedger::column, "token-columns"),
        connection.list(row -> row.getString(1), "guards"),
        gaps(connection));
  }

  /** Gaps that are open now, then those that privileged users could open. */
  private static List<TableFacts.GuardGap> gaps(StoreConnection connection) throws SQLException {
    List<TableFacts.GuardGap> gaps = new ArrayList<>();
    gaps.addAll(connection.list(row -> gap(row, true), "guard-holes"));
    gaps.addAll(connection.list(row -> gap(row, false), "guard-limits"));
    return gaps;
  }

  private static TableFacts.GuardGap gap(ResultSet row, boolean openNow) throws SQLException {
    return new TableFacts.GuardGap(row.getString(1), row.getString(2), openNow);
  }

  private static LedgerReading.Charter charter(ResultSet row) throws SQLException {
    return new LedgerReading.Charter(
        CharterText.read(row.getString(1), row.getString(2)),
        row.getString(3),
        row.getLong(4),
        row.getLong(5));
  }

  private static LedgerReading.Seal seal(ResultSet row) throws SQLException {
    boolean failed = row.getBoolean(5);
    return new LedgerReading.Seal(
        new LedgerEntry.Sealing(
            new LeaseKey(row.getString(1)),
            new Token(row.getLong(2)),
            row.getString(3),
            row.getString(4),
            failed ? Optional.of(row.getString(6)) : Optional.empty()),
        row.getLong(7));
  }

  private static LedgerReading.Refusal refusal(ResultSet row) throws SQLException {
    Claim claim =
        new Claim(new LeaseKey(row.getString(3)), new Token(row.getLong(4)), row.getString(5));
    return new LedgerReading.Refusal(
        new LedgerEntry.Refused(
            new RequestId(row.getString(1)),
            row.getString(2),
            claim,
            answer(row),
            row.getBoolean(8)),
        row.getLong(9));
  }

  private static Admission.Refused answer(ResultSet row) throws SQLException {
    long number = row.getLong(7);
    Optional<Token> bound = row.wasNull() ? Optional.empty() : Optional.of(new Token(number));
    return row.getString(6).equals("stale")
        ? new Admission.Stale(bound.orElseThrow())
        : new Admission.Unissued(bound);
  }

  private static TableFacts.TokenColumn column(ResultSet row) throws SQLException {
    return new TableFacts.TokenColumn(row.getString(1), row.getString(2));
  }
}
