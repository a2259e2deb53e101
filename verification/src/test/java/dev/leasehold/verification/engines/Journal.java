package dev.leasehold.verification.engines;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.LogEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what a store wrote, by triggers in its own database. Also creates the tables of the
 * {@link Ledger}.
 */
public record Journal(Database database) {
  private static final int OPEN = 0;
  private static final int LAPSED = 1;
  private static final int ENDED = 2;
  private static final Set<String> TAKEN_AWAY = Set.of("STALLED", "EXPIRED");

  /** Creates the store's schema, and the triggers that write the journal from then on. */
  public void install() {
    JdbcStore.at(database.url()).migrate().open().close();
    String name = database.isSqlite() ? "journal-sqlite.sql" : "journal-postgresql.sql";
    try (InputStream script = Journal.class.getResourceAsStream(name)) {
      if (script == null) {
        throw new IllegalStateException(name + " is missing");
      }
      database.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that was committed so far. */
  public List<LogEntry> entries() {
    List<Line> lines = database.query(Line::read, "SELECT * FROM test_journal ORDER BY seq");
    Map<Integer, Line> requests = requests(lines);
    Set<String> keys = new LinkedHashSet<>();
    lines.stream().map(Line::key).filter(key -> !key.isEmpty()).forEach(keys::add);
    List<LogEntry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      switch (line.what) {
        case "put" -> entries.add(line.entry(put(line, Optional.ofNullable(requests.get(i)))));
        case "delete" -> entries.add(line.entry(new LogEntry.Purged(new Token(line.lastToken))));
        case "advance" -> keys.forEach(key -> entries.add(line.advanced(key)));
        default -> {}
      }
    }
    return entries;
  }

  /** A request is remembered right after the row is written, and under its lock. */
  private static Map<Integer, Line> requests(List<Line> lines) {
    Map<String, Integer> latest = new HashMap<>();
    Map<Integer, Line> requests = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      if (line.what.equals("request")) {
        Integer put = latest.get(line.key);
        if (put == null) {
          throw new IllegalStateException("a request without a change of its key: " + line);
        }
        requests.put(put, line);
      } else {
        latest.put(line.key, i);
      }
    }
    return requests;
  }

  private static LogEntry.Effect put(Line line, Optional<Line> request) {
    if (request.isPresent()) {
      return requested(line, request.get());
    }
    if (line.token != line.wasToken) {
      Remembered.Request by = holder(line.requestId, line.instanceId, Verb.ACQUIRE);
      return new LogEntry.Granted(new Token(line.token), by, line.expiresAt);
    }
    Token token = new Token(line.token);
    if (line.ends() && TAKEN_AWAY.contains(line.endReason)) {
      return new LogEntry.TakenAway(token, new Token(line.lastToken));
    }
    if (line.ends()) {
      return new LogEntry.Released(token, holder(line.endRequest, line.instanceId, Verb.RELEASE));
    }
    return line.standing == LAPSED && line.wasStanding == OPEN
        ? new LogEntry.Lapsed(token)
        : new LogEntry.Renewed(token, line.expiresAt);
  }

  private static LogEntry.Effect requested(Line line, Line request) {
    Verb verb = Verb.valueOf(request.verb);
    Remembered.Request by =
        switch (verb) {
          case REVOKE, REOPEN ->
              new Remembered.Request(
                  new RequestId(request.requestId),
                  new Caller.ByOperator(new Operator(request.caller)),
                  verb);
          default -> holder(request.requestId, request.caller, verb);
        };
    Optional<Token> ended =
        line.ends() ? Optional.of(new Token(line.token)) : Optional.<Token>empty();
    return switch (verb) {
      case ABANDON -> new LogEntry.Abandoned(ended, by);
      case REVOKE -> new LogEntry.Revoked(new Token(line.lastToken), ended, by);
      case REOPEN -> new LogEntry.Reopened(by);
      case HAND_OVER ->
          new LogEntry.HandedOver(
              new Token(line.wasToken),
              new Token(line.token),
              new InstanceId(line.instanceId),
              by,
              line.expiresAt);
      case ACQUIRE, RELEASE -> throw new IllegalStateException("stands in the row: " + request);
    };
  }

  private static Remembered.Request holder(String requestId, String instanceId, Verb verb) {
    return new Remembered.Request(
        new RequestId(requestId), new Caller.Holder(new InstanceId(instanceId)), verb);
  }

  /** A row of the journal; an absent value is 0, -1 for a standing, or empty. */
  private record Line(
      String what,
      long sequence,
      String key,
      long wasToken,
      long token,
      int wasStanding,
      int standing,
      long lastToken,
      long expiresAt,
      long at,
      String instanceId,
      String requestId,
      String endReason,
      String endRequest,
      String verb,
      String caller) {

    static Line read(ResultSet row) throws SQLException {
      return new Line(
          row.getString("what"),
          row.getLong("seq"),
          text(row.getString("key")),
          row.getLong("was_token"),
          row.getLong("token"),
          standing(row, "was_standing"),
          standing(row, "standing"),
          row.getLong("last_token"),
          row.getLong("expires_at"),
          row.getLong("at"),
          text(row.getString("instance_id")),
          text(row.getString("request_id")),
          text(row.getString("end_reason")),
          text(row.getString("end_request")),
          text(row.getString("verb")),
          text(row.getString("caller")));
    }

    private static String text(@Nullable String value) {
      return value == null ? "" : value;
    }

    private static int standing(ResultSet row, String column) throws SQLException {
      int value = row.getInt(column);
      return row.wasNull() ? -1 : value;
    }

    boolean ends() {
      return standing == ENDED && wasStanding != ENDED && token == wasToken;
    }

    LogEntry entry(LogEntry.Effect effect) {
      return new LogEntry(new LeaseKey(key), sequence, at, effect);
    }

    LogEntry advanced(String ofKey) {
      return new LogEntry(
          new LeaseKey(ofKey), sequence, at, new LogEntry.IncarnationAdvanced((int) token));
    }
  }
}
