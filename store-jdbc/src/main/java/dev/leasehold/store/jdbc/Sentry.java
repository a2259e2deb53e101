package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Era;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.LeaseChange;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Watches that the store has not gone back to an earlier state: restored from a backup, or promoted
 * from a replica that lagged. Remembers what was seen of it, compares that with what each new
 * connection finds, and refuses commands from then on if something is missing, until the
 * incarnation has been advanced.
 */
final class Sentry {
  private static final System.Logger LOG = System.getLogger(Sentry.class.getName());

  private final Dialect dialect;
  private final String storeId;
  private final Optional<WitnessFile> file;
  private final LinkedHashMap<LeaseKey, Token> grants = new LinkedHashMap<>();
  private final Set<Object> known = Collections.newSetFromMap(new WeakHashMap<>());
  private Witnessed seen = Witnessed.NOTHING;
  private boolean fileFound;
  private boolean together;
  private boolean opened;
  private volatile Optional<String> refusal = Optional.empty();

  Sentry(Dialect dialect, String storeId, Optional<WitnessFile> file) {
    this.dialect = dialect;
    this.storeId = storeId;
    this.file = file;
  }

  /** Nothing was sent: the store is not to be used. */
  static final class RolledBack extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    RolledBack(String sentence) {
      super(sentence);
    }
  }

  /** The store that it looks after. */
  String storeId() {
    return storeId;
  }

  /** Why commands are refused, if they are. */
  Optional<String> refusal() {
    return refusal;
  }

  /** What is kept outside the database, for people. */
  WitnessState witness() {
    if (file.isEmpty()) {
      return new WitnessState.None();
    }
    if (together) {
      return new WitnessState.Together();
    }
    return fileFound ? new WitnessState.Found(seen().incarnation()) : new WitnessState.Begun();
  }

  /** Lets work be done only on connections to a store that is where it was. */
  Sessions guard(Sessions sessions) {
    return new Sessions() {
      @Override
      public <T> T use(Work<T> work) throws SQLException {
        return sessions.use(
            session -> {
              require(session);
              return work.run(session);
            });
      }

      @Override
      public void close() {
        sessions.close();
      }
    };
  }

  /** Refuses a connection to a store that is not where it was. */
  void require(Session session) throws SQLException {
    Object physical = physical(session.connection());
    if (refusal.isEmpty() && isKnown(physical)) {
      return;
    }
    session.autoCommit(true);
    checkAll(session);
    if (refusal.isPresent()) {
      throw new RolledBack(refusal.get());
    }
    synchronized (this) {
      known.add(physical);
    }
  }

  private synchronized boolean isKnown(Object physical) {
    return known.contains(physical);
  }

  /** Pools wrap a connection anew each time. */
  private Object physical(Connection connection) throws SQLException {
    return dialect == Dialect.SQLITE
        ? connection.unwrap(Connection.class)
        : connection.unwrap(org.postgresql.PGConnection.class);
  }

  /** Remembers what was granted; from now on the store must know of it. */
  synchronized void saw(List<LeaseChange> changes) {
    for (LeaseChange change : changes) {
      if (change.kind() == LeaseChange.Kind.GRANTED) {
        Witnessed.note(grants, change.key(), change.token());
      }
    }
  }

  private synchronized Witnessed seen() {
    return seen.and(new Witnessed(seen.incarnation(), 0, "", 0, grants));
  }

  private synchronized void add(Witnessed more) {
    seen = seen.and(more);
    more.grants().forEach((key, token) -> Witnessed.note(grants, key, token));
  }

  /** Takes the file's word; before the first connection is checked. */
  void readFile() {
    Optional<Witnessed> written = file.flatMap(WitnessFile::read);
    fileFound |= written.isPresent();
    written.ifPresent(this::add);
  }

  /** Finds out whether the file would share the fate of the database. */
  void lookWhere(Session session) throws SQLException {
    together = file.isPresent() && file.get().isTogetherWith(session.connection());
  }

  /** From now on what is found is logged; until then, whoever opens the store is told. */
  synchronized void open() {
    opened = true;
  }

  /** Adds to the file what was seen, unless that is in doubt. Not in anybody's way. */
  void writeFile() {
    if (file.isPresent() && refusal.isEmpty()) {
      add(file.get().add(seen()));
    }
  }

  /** Compares what was seen with what is there. Lifts a refusal too, once that is right again. */
  void checkAll(Session session) throws SQLException {
    // First what was seen, then what is there: the other way round, something that came between
    // would seem to be missing.
    Optional<String> standing = refusal;
    Witnessed before = seen();
    Facts facts = Facts.read(session);
    Optional<String> missing = otherStore(facts).or(() -> position(before, facts));
    settle(standing, facts, missing.isPresent() ? missing : lowerGrant(session, before, facts));
  }

  /** The same without the grants, which is cheap enough for once a second. */
  void checkPosition(Session session) throws SQLException {
    Optional<String> standing = refusal;
    if (standing.isPresent()) {
      checkAll(session);
      return;
    }
    Witnessed before = seen();
    Facts facts = Facts.read(session);
    settle(standing, facts, otherStore(facts).or(() -> position(before, facts)));
  }

  /** A refusal that came up while this was being checked is for the next check to lift. */
  private synchronized void settle(
      Optional<String> standing, Facts facts, Optional<String> missing) {
    if (missing.isPresent()) {
      refusal = missing.map(Sentry::sentence);
      if (standing.isEmpty() && opened) {
        LOG.log(Level.ERROR, refusal.get());
      }
    } else if (refusal.equals(standing)) {
      add(facts.witnessed());
      refusal = Optional.empty();
    }
  }

  private Optional<String> otherStore(Facts facts) {
    return facts.storeId().equals(storeId)
        ? Optional.empty()
        : Optional.of("the database holds another store than when this one was opened");
  }

  private static String sentence(String what) {
    return "the store has gone back to an earlier state ("
        + what
        + "): if it was restored from a backup or failed over to a replica that lagged, run"
        + " leasehold incarnation advance before it is used again";
  }

  private static Optional<String> position(Witnessed before, Facts facts) {
    if (facts.incarnation() < before.incarnation()) {
      return lower("incarnation", facts.incarnation(), before.incarnation());
    }
    if (!facts.foundedOn().equals(facts.systemId())) {
      return Optional.of("it was copied here from another PostgreSQL, " + facts.foundedOn());
    }
    if (facts.incarnation() > before.incarnation()) {
      // Advanced since: positions have begun anew.
      return Optional.empty();
    }
    if (!before.systemId().isEmpty() && !before.systemId().equals(facts.systemId())) {
      return Optional.of("it was on another PostgreSQL, " + before.systemId());
    }
    if (facts.timeline() < before.timeline()) {
      return lower("timeline", facts.timeline(), before.timeline());
    }
    // A higher timeline is a failover: one that lost nothing is no reason to stop.
    return facts.walPosition() < before.walPosition()
        ? lower("WAL position", facts.walPosition(), before.walPosition())
        : Optional.empty();
  }

  private static Optional<String> lower(String what, long now, long before) {
    return Optional.of(what + " " + now + ", seen before: " + before);
  }

  private Optional<String> lowerGrant(Session session, Witnessed before, Facts facts)
      throws SQLException {
    Token floor = new Era(facts.incarnation(), 0).floor();
    List<Map.Entry<LeaseKey, Token>> expected =
        before.grants().entrySet().stream()
            .filter(grant -> grant.getValue().compareTo(floor) > 0)
            .toList();
    List<Long> found = lastTokens(session, expected.stream().map(Map.Entry::getKey).toList());
    for (int i = 0; i < expected.size(); i++) {
      LeaseKey key = expected.get(i).getKey();
      Token token = expected.get(i).getValue();
      if (found.get(i) < token.value()) {
        return lower("last token of " + key, found.get(i), token.value());
      }
    }
    return Optional.empty();
  }

  /** Of each key's record, or where there is none, of its bucket's floor. */
  private List<Long> lastTokens(Session session, List<LeaseKey> keys) throws SQLException {
    List<Long> tokens = new ArrayList<>();
    if (keys.isEmpty()) {
      return tokens;
    }
    PreparedStatement statement = session.prepare("last-tokens");
    if (dialect != Dialect.SQLITE) {
      Connection connection = session.connection();
      statement.setArray(
          1, connection.createArrayOf("int4", keys.stream().map(Buckets::of).toArray()));
      statement.setArray(
          2, connection.createArrayOf("text", keys.stream().map(LeaseKey::text).toArray()));
      collect(statement, tokens);
      return tokens;
    }
    for (LeaseKey key : keys) {
      statement.setInt(1, Buckets.of(key));
      statement.setString(2, key.text());
      statement.setInt(3, Buckets.of(key));
      collect(statement, tokens);
    }
    return tokens;
  }

  private static void collect(PreparedStatement statement, List<Long> tokens) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        tokens.add(rows.getLong(1));
      }
    }
  }

  /**
   * Adds the highest incarnation that was seen, where that is testimony: from a file, or from the
   * memory of a process that has found the store gone back.
   */
  Advance testify(Advance request) {
    readFile();
    if (!fileFound && refusal.isEmpty()) {
      return request;
    }
    int highest = Math.max(seen().incarnation(), request.witness().orElse(0));
    return new Advance(request.above(), OptionalInt.of(highest), request.holdOffMillis());
  }
}
