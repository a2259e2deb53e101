package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.Guarantee.Durability;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.Texts;
import dev.leasehold.fence.Token;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A fence whose marks are in the database of its target, with which they are changed, kept and
 * restored.
 *
 * <p>{@link #change} makes a change in one transaction with its check; {@link #admitIn} puts the
 * check into a transaction of the caller. {@link #admit} alone is advice. {@link #createTables}
 * makes the three tables that it needs, in the schema that connections look into first.
 *
 * <p>A seal waits for lower changes that are under way. So that a process that was stopped in the
 * midst of one, or of its own seal, does not block its successor for ever, PostgreSQL ends a
 * transaction that has locked a mark and then falls silent for longer than {@link #longestPause}; a
 * seal waits for longer than that, and then fails with {@link FenceUnavailableException}. SQLite
 * has nothing of the kind: there, a process that is stopped inside a transaction blocks every
 * writer of the file.
 *
 * <p>A refusal of a holder that is told by its store that its grant is current means that one of
 * the two has lost writes, or that somebody has brought an invented token. Say so to the operator;
 * {@link #reset} is what that person may come to.
 */
public final class JdbcFence implements Fence {
  public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(JdbcFence.class.getName());
  private static final Guarantee GUARANTEE =
      new Guarantee(Durability.DURABLE, Atomicity.WITH_CHANGE);
  private static final long WAIT_BEYOND_PAUSE_MILLIS = 5_000;
  private static final int MAX_WHY = 1_000;
  private static final int MAX_RESTARTS = 10;

  private final String target;
  private final DataSource database;
  private final IssuedTokens issued;
  private final long longestPauseMillis;
  private final boolean refusalsKept;
  private final MarkTrail trail = new MarkTrail();

  // Found out with the first connection; two threads at once find out the same.
  private volatile @Nullable MarkDialect dialect;

  private JdbcFence(String target, DataSource database, Settings settings) {
    this.target = target;
    this.database = database;
    this.issued = settings.issued();
    this.longestPauseMillis = settings.longestPauseMillis();
    this.refusalsKept = settings.refusalsKept();
  }

  private record Settings(IssuedTokens issued, long longestPauseMillis, boolean refusalsKept) {}

  /** A fence that cannot see the issuer: an invented token raises the mark as a real one does. */
  public static JdbcFence before(String target, DataSource database) {
    Texts.requireOneLine("target", target, 1, MemoryFence.MAX_TARGET);
    return new JdbcFence(
        target,
        database,
        new Settings(IssuedTokens.unseen(), DEFAULT_LONGEST_PAUSE.toMillis(), true));
  }

  /** The same fence, refusing tokens that were never issued. */
  public JdbcFence issuedBy(IssuedTokens newIssued) {
    return new JdbcFence(
        target, database, new Settings(newIssued, longestPauseMillis, refusalsKept));
  }

  /** The same fence with another bound on how long a change may be silent, on PostgreSQL. */
  public JdbcFence longestPause(Duration pause) {
    if (pause.toMillis() < 1) {
      throw new IllFormedException("the longest pause is at least 1 ms, not " + pause);
    }
    return new JdbcFence(target, database, new Settings(issued, pause.toMillis(), refusalsKept));
  }

  /**
   * The same fence, which does not keep refusals in the trail: for whoever keeps them elsewhere,
   * and whose callers could otherwise write a row for each name of a target that they think of.
   */
  public JdbcFence withoutRefusals() {
    return new JdbcFence(target, database, new Settings(issued, longestPauseMillis, false));
  }

  /** Makes what is not there yet. In a transaction or not, as the caller's connection is. */
  public static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String text : MarkDialect.of(connection).script("create-tables")) {
        statement.execute(text);
      }
    }
  }

  /** What {@link #createTables} runs on such a database, for whoever runs it by other means. */
  public static String tables(Connection connection) throws SQLException {
    return MarkDialect.of(connection).sql("create-tables");
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Guarantee guarantee() {
    return GUARANTEE;
  }

  @Override
  public Admission admit(Claim claim) {
    try {
      return switch (change(claim, connection -> Admission.ADMITTED)) {
        case Changed.Made<Admission.Admitted> made -> made.result();
        case Changed.NotMade<Admission.Admitted> notMade -> notMade.why();
      };
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  /**
   * Makes a change in one transaction with the check of its token, on a connection of its own. What
   * it does outside of that connection is not fenced. A change that throws is rolled back. The
   * connection refuses to end the transaction, to be unwrapped, and to be used after the change.
   *
   * @throws SQLException of the check or the change; if it is the commit's, nobody may know whether
   *     the change was made
   */
  public <T, X extends Exception> Changed<T> change(Claim claim, JdbcChange<T, X> change)
      throws SQLException, X {
    boolean vouchedFor = false;
    int restarts = 0;
    while (true) {
      try {
        Optional<Changed<T>> outcome = attempt(claim, change, vouchedFor);
        if (outcome.isPresent()) {
          return told(claim, outcome.get());
        }
        // Between transactions, since the issuer may be far away.
        Optional<Admission.Refused> unissued = refuseUnissued(claim);
        if (unissued.isPresent()) {
          return told(claim, new Changed.NotMade<>(unissued.get()));
        }
        vouchedFor = true;
      } catch (NotEntered e) {
        if (restarts++ == MAX_RESTARTS) {
          throw e.failure;
        }
      }
    }
  }

  /** Empty: the issuer is to be asked first. */
  private <T, X extends Exception> Optional<Changed<T>> attempt(
      Claim claim, JdbcChange<T, X> change, boolean vouchedFor) throws SQLException, X, NotEntered {
    try (Transaction transaction = Transaction.begin(database)) {
      Optional<Admission> answer = enter(transaction, claim, vouchedFor);
      if (answer.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          switch (answer.get()) {
            case Admission.Refused refused -> new Changed.NotMade<>(refused);
            case Admission.Admitted admitted -> {
              T result;
              try (LentConnection lent = new LentConnection(transaction.connection())) {
                result = change.make(lent.connection());
              }
              transaction.commit();
              yield new Changed.Made<>(result);
            }
          });
    }
  }

  private Optional<Admission> enter(Transaction transaction, Claim claim, boolean vouchedFor)
      throws SQLException, NotEntered {
    try {
      Marks marks = marks(transaction.connection());
      marks.begin();
      return marks.join(claim, bounds())
          ? Optional.of(Admission.ADMITTED)
          : settle(marks, new Entering(claim, bounds()), vouchedFor);
    } catch (SQLException e) {
      if (NotEntered.isRestart(e)) {
        throw new NotEntered(e);
      }
      throw e;
    }
  }

  private Marks.Bounds bounds() {
    return new Marks.Bounds(longestPauseMillis, OptionalLong.empty());
  }

  /** A claim that enters a transaction, and how that is bounded. */
  private record Entering(Claim claim, Marks.Bounds bounds) {}

  /** For a mark that does not stand at the token; empty: it has to rise, and nobody has vouched. */
  private Optional<Admission> settle(Marks marks, Entering entering, boolean vouchedFor)
      throws SQLException {
    Claim claim = entering.claim();
    Marks.Standing standing = marks.read(claim.key());
    Optional<Admission.Refused> refused = standing.refuses(claim.token());
    if (refused.isPresent()) {
      return refused.map(refusal -> refusal);
    }
    if (!standing.isAt(claim.token())) {
      if (!vouchedFor) {
        return Optional.empty();
      }
      // For the time of the raise only: how long the change waits for its locks is its own affair.
      String waitBefore = marks.bound(longestWaitMillis(), entering.bounds());
      boolean unused = marks.raise(claim, false);
      marks.boundWait(waitBefore);
    }
    // It stands at the token or above by now, and never falls: so one more look decides.
    if (marks.join(claim, entering.bounds())) {
      return Optional.of(Admission.ADMITTED);
    }
    return Optional.of(
        marks
            .read(claim.key())
            .refuses(claim.token())
            .orElseThrow(() -> new SQLException("the mark was reset meanwhile", "40001")));
  }

  /**
   * Puts the check into a transaction of the caller, before its changes: no higher token passes and
   * no seal returns until that transaction has ended.
   *
   * <p>A refusal throws and is in the trail, and a server has aborted the transaction by then: what
   * was written in it is not committed even if the exception is caught. ({@code autosave=always} of
   * PostgreSQL's driver takes that back: leave it off.) On SQLite the caller must roll back, and
   * then may {@link #keep} the refusal, since the trail cannot be written to meanwhile.
   *
   * <p>It holds for as long as what it was checked in: after a rollback to a savepoint that was set
   * before the check, nothing is locked and the next seal does not wait. Check before the first
   * savepoint, or again after such a rollback.
   *
   * <p>On PostgreSQL it bounds the transaction, in the same round trip: its pauses by the trust
   * that is left and by {@link #longestPause}, its statements and, from PostgreSQL 17 on, the whole
   * of it by the trust. Lower limits of the connection stay. In a transaction whose snapshot is
   * from before the mark was raised (REPEATABLE READ, SERIALIZABLE; SQLite after a read) it fails
   * with the database's own error, and the transaction is to be run again. A fence that can see the
   * issuer may ask it from here, so have sealed before.
   *
   * <p>The connection's search_path decides where the marks' tables are, and nothing else.
   *
   * @param trustLeft how long the lease may still be trusted
   */
  public void admitIn(Connection connection, Claim claim, Duration trustLeft) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection commits each statement by itself, so the check would be over before the"
              + " change: call setAutoCommit(false) first, or use change(...)");
    }
    Marks marks = marks(connection);
    Admission answer;
    try {
      answer = answerIn(marks, new Entering(claim, bounds().within(trustLeft)));
    } catch (SQLException | RuntimeException e) {
      // The issuer could not be asked, say: nothing of this transaction may be committed.
      Optional<SQLException> unused = marks.abort("the claim could not be checked");
      throw e;
    }
    if (answer instanceof Admission.Refused refused) {
      Optional<SQLException> abortedBy =
          marks.abort(ClaimRefusedException.sentence(target, claim, refused));
      abortedBy.ifPresent(aborted -> told(claim, refused));
      throw new ClaimRefusedException(target, claim, refused, abortedBy.orElse(null));
    }
  }

  private Admission answerIn(Marks marks, Entering entering) throws SQLException {
    marks.begin();
    if (marks.join(entering.claim(), entering.bounds())) {
      return Admission.ADMITTED;
    }
    Optional<Admission> answer = settle(marks, entering, false);
    if (answer.isPresent()) {
      return answer.get();
    }
    Optional<Admission.Refused> unissued = refuseUnissued(entering.claim());
    return unissued.isPresent() ? unissued.get() : settle(marks, entering, true).orElseThrow();
  }

  /** What the issuer has against a token that would raise the mark. */
  private Optional<Admission.Refused> refuseUnissued(Claim claim) {
    return switch (issued.issueOf(claim.key(), claim.token())) {
      case IssuedTokens.Granted granted -> Optional.empty();
      case IssuedTokens.Voided voided ->
          Optional.of(new Admission.Unissued(Optional.of(claim.token())));
      case IssuedTokens.Never never -> Optional.of(new Admission.Unissued(never.highest()));
    };
  }

  @Override
  public Admission seal(Claim claim) {
    try {
      Admission answer = sealNow(claim);
      if (answer instanceof Admission.Refused refused) {
        told(claim, refused);
      }
      return answer;
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  private Admission sealNow(Claim claim) throws SQLException {
    Marks.Standing standing = inTransaction(marks -> marks.read(claim.key()));
    Optional<Admission.Refused> outranked = standing.outranks(claim.token());
    if (outranked.isPresent()) {
      return outranked.get();
    }
    if (standing.isAt(claim.token())) {
      return Admission.ADMITTED;
    }
    return switch (issued.issueOf(claim.key(), claim.token())) {
      case IssuedTokens.Granted granted -> raise(claim, false);
      case IssuedTokens.Voided voided -> raise(claim, true);
      case IssuedTokens.Never never -> new Admission.Unissued(never.highest());
    };
  }

  private Admission raise(Claim claim, boolean above) throws SQLException {
    inBoundedTransaction(
        marks -> {
          marks.announce(claim);
          return claim;
        });
    inBoundedTransaction(
        marks -> {
          boolean raised = marks.raise(claim, above);
          marks.arrive(claim);
          return raised;
        });
    Marks.Standing standing = inTransaction(marks -> marks.read(claim.key()));
    Optional<Admission.Refused> outranked = standing.outranks(claim.token());
    return outranked.isPresent() ? outranked.get() : Admission.ADMITTED;
  }

  /**
   * An operator's verb: forgets the mark of a key, after an invented token or a store that was put
   * back have left it too high. Until the holder seals again, whoever comes first is admitted,
   * replaced holders included. It is kept in the trail.
   *
   * @return where the mark stood
   */
  public Optional<Token> reset(LeaseKey key, String by, String why) {
    Texts.requireOneLine("by", by, 1, Claim.MAX_WHO);
    Texts.requireOneLine("why", why, 1, MAX_WHY);
    try {
      return inBoundedTransaction(
          marks -> {
            Optional<Token> stood = marks.read(key).mark();
            marks.delete(key);
            MarkTrail.addReset(marks, key, stood, new MarkTrail.Reset(by, why));
            return stood;
          });
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  /**
   * Keeps in the trail that a claim was refused; only after {@link #admitIn} on SQLite is this the
   * caller's to do. A trail that cannot be written to hides no answer: that is logged.
   */
  public void keep(Claim claim, Admission.Refused refused) {
    try {
      inBoundedTransaction(
          marks -> {
            trail.addRefusal(marks, claim, refused);
            return claim;
          });
    } catch (SQLException e) {
      LOG.log(
          Level.WARNING,
          "the refusal of token {0} of {1} by ''{2}'' is not in the trail: {3}",
          claim.token(),
          claim.key(),
          target,
          e.getMessage());
    }
  }

  /** The last refusals and resets, the latest first; about 1,000 are kept. */
  public List<MarkEvent> trail(int limit) {
    try {
      return inTransaction(marks -> MarkTrail.newestFirst(marks, limit));
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }

  private <T> Changed<T> told(Claim claim, Changed<T> outcome) {
    if (outcome instanceof Changed.NotMade<T> notMade) {
      told(claim, notMade.why());
    }
    return outcome;
  }

  private void told(Claim claim, Admission.Refused refused) {
    if (refusalsKept) {
      keep(claim, refused);
    }
  }

  /** What is done with the marks in one transaction. */
  private interface Work<T> {
    T with(Marks marks) throws SQLException;
  }

  /** For all that locks rows: whoever is stopped in the midst of it holds them for a while only. */
  private <T> T inBoundedTransaction(Work<T> work) throws SQLException {
    return inTransaction(
        marks -> {
          marks.begin();
          String unused = marks.bound(longestWaitMillis(), bounds());
          return work.with(marks);
        });
  }

  private long longestWaitMillis() {
    return longestPauseMillis + WAIT_BEYOND_PAUSE_MILLIS;
  }

  /** Again after a serialization failure or a deadlock: all that is done so can be done twice. */
  private <T> T inTransaction(Work<T> work) throws SQLException {
    int restarts = 0;
    while (true) {
      try (Transaction transaction = Transaction.begin(database)) {
        T result = work.with(marks(transaction.connection()));
        transaction.commit();
        return result;
      } catch (SQLException e) {
        if (!NotEntered.isRestart(e) || restarts++ == MAX_RESTARTS) {
          throw e;
        }
      }
    }
  }

  private Marks marks(Connection connection) throws SQLException {
    MarkDialect known = dialect;
    if (known == null) {
      known = MarkDialect.of(connection);
      dialect = known;
    }
    return new Marks(known, target, connection);
  }

  private FenceUnavailableException unavailable(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    String advice;
    if ("55P03".equals(failure.getSQLState()) || message.contains("SQLITE_BUSY")) {
      advice = "a change is still under way there; try again";
    } else if ("42P01".equals(failure.getSQLState()) || message.contains("no such table")) {
      advice = "run JdbcFence.createTables first";
    } else {
      advice = "its database failed";
    }
    return new FenceUnavailableException(
        "the fence of '"
            + target
            + "' gave no answer: "
            + advice
            + " ("
            + failure.getMessage()
            + ")",
        failure);
  }
}
