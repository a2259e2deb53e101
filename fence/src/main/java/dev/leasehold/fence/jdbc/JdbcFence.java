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
 * A fence whose marks are in the database of its target, so that both are changed, kept and
 * restored together.
 *
 * <p>{@link #change} makes a change in one transaction with its check; {@link #admitIn} puts the
 * check into a transaction of the caller. {@link #admit} alone is advice. {@link #createTables}
 * creates its three tables, in the first schema of the search path.
 *
 * <p>A seal waits for lower changes in progress. A process that is stopped during a change or a
 * seal must not block its successor for ever, so PostgreSQL ends a transaction that has locked a
 * mark and then stays idle for longer than {@link #longestPause}; a seal waits for longer than
 * that, and then fails with {@link FenceUnavailableException}. SQLite has no such timeout: there, a
 * process that is stopped inside a transaction blocks every writer of the file.
 *
 * <p>If this fence refuses a holder whose store says that its grant is current, then one of the two
 * has lost writes, or a caller has brought an invented token. Report that to the operator, who may
 * decide to {@link #reset} the mark.
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

  // Determined by the first connection; if two threads do so at once, both find the same.
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

  /** The same fence with another limit on idle transactions with a locked mark, on PostgreSQL. */
  public JdbcFence longestPause(Duration pause) {
    if (pause.toMillis() < 1) {
      throw new IllFormedException("the longest pause is at least 1 ms, not " + pause);
    }
    return new JdbcFence(target, database, new Settings(issued, pause.toMillis(), refusalsKept));
  }

  /**
   * The same fence without a record of refusals: for a service that records them elsewhere, and
   * whose clients could otherwise fill the trail with invented target names.
   */
  public JdbcFence withoutRefusals() {
    return new JdbcFence(target, database, new Settings(issued, longestPauseMillis, false));
  }

  /** Creates the tables that do not exist yet, in the caller's transaction if it has one. */
  public static void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String text : MarkDialect.of(connection).script("create-tables")) {
        statement.execute(text);
      }
    }
  }

  /** The statements of {@link #createTables}, for callers that run them by other means. */
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
   * Makes a change in one transaction with the check of its token, on a connection of its own.
   * Effects outside of that connection are not fenced. A change that throws is rolled back. The
   * connection refuses to end the transaction, to be unwrapped, and to be used after the change.
   *
   * @throws SQLException of the check, the change or the commit; if the commit fails, the change
   *     may or may not have been made
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
        // Asked between transactions, since the issuer may be slow.
        Optional<Admission.Refused> unissued = refuseUnissued(claim);
        if (unissued.isPresent()) {
          return told(claim, new Changed.NotMade<>(unissued.get()));
        }
        vouchedFor = true;
      } catch (CheckRolledBack e) {
        if (restarts++ == MAX_RESTARTS) {
          throw e.failure;
        }
      }
    }
  }

  /** One attempt; empty if the issuer must be asked first. */
  private <T, X extends Exception> Optional<Changed<T>> attempt(
      Claim claim, JdbcChange<T, X> change, boolean vouchedFor)
      throws SQLException, X, CheckRolledBack {
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
      throws SQLException, CheckRolledBack {
    try {
      Marks marks = marks(transaction.connection());
      marks.begin();
      return marks.join(claim, bounds())
          ? Optional.of(Admission.ADMITTED)
          : settle(marks, new BoundedClaim(claim, bounds()), vouchedFor);
    } catch (SQLException e) {
      if (CheckRolledBack.isRestart(e)) {
        throw new CheckRolledBack(e);
      }
      throw e;
    }
  }

  private Marks.Bounds bounds() {
    return new Marks.Bounds(longestPauseMillis, OptionalLong.empty());
  }

  /** A claim that is checked in a transaction, and the limits of that transaction. */
  private record BoundedClaim(Claim claim, Marks.Bounds bounds) {}

  /** Decides if the mark is not at the token; empty if the issuer must be asked first. */
  private Optional<Admission> settle(Marks marks, BoundedClaim bounded, boolean vouchedFor)
      throws SQLException {
    Claim claim = bounded.claim();
    Marks.Standing standing = marks.read(claim.key());
    Optional<Admission.Refused> refused = standing.refuses(claim.token());
    if (refused.isPresent()) {
      return refused.map(refusal -> refusal);
    }
    if (!standing.isAt(claim.token())) {
      if (!vouchedFor) {
        return Optional.empty();
      }
      // Set only for the raise: the change's own waits for locks are not limited.
      String waitBefore = marks.bound(longestWaitMillis(), bounded.bounds());
      boolean unused = marks.raise(claim, false);
      marks.boundWait(waitBefore);
    }
    // The mark is now at the token or above, and never falls, so a second look decides.
    if (marks.join(claim, bounded.bounds())) {
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
   * <p>A refusal throws and is recorded in the trail, and a database server has aborted the
   * transaction by then, so its writes are not committed even if the caller catches the exception.
   * ({@code autosave=always} of PostgreSQL's driver undoes that: leave it off.) On SQLite the
   * caller must roll back, and may then {@link #keep} the refusal, since the trail cannot be
   * written during the transaction.
   *
   * <p>The check is undone by a rollback to a savepoint that was set before it: then nothing is
   * locked, and the next seal does not wait. Check before the first savepoint, or again after such
   * a rollback.
   *
   * <p>On PostgreSQL it also limits the transaction, in the same round trip: its idle time by the
   * remaining trust and by {@link #longestPause}, its statements and, from PostgreSQL 17 on, the
   * whole transaction by the trust. Lower limits of the connection stay. If the transaction's
   * snapshot is older than the mark (REPEATABLE READ, SERIALIZABLE; SQLite after a read), it fails
   * with the database's own error, and the caller runs the transaction again. A fence that can
   * reach the issuer may ask it from here, so seal before.
   *
   * <p>The connection's search_path alone determines where the tables of marks are.
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
      answer = answerIn(marks, new BoundedClaim(claim, bounds().within(trustLeft)));
    } catch (SQLException | RuntimeException e) {
      // The check failed, for example because the issuer could not be asked: nothing of this
      // transaction may be committed.
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

  private Admission answerIn(Marks marks, BoundedClaim bounded) throws SQLException {
    marks.begin();
    if (marks.join(bounded.claim(), bounded.bounds())) {
      return Admission.ADMITTED;
    }
    Optional<Admission> answer = settle(marks, bounded, false);
    if (answer.isPresent()) {
      return answer.get();
    }
    Optional<Admission.Refused> unissued = refuseUnissued(bounded.claim());
    return unissued.isPresent() ? unissued.get() : settle(marks, bounded, true).orElseThrow();
  }

  /** The issuer's objection to a token that would raise the mark. */
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
   * An operator's verb: forgets a mark that is too high, after an invented token or a restored
   * store. Until the holder seals again, even a replaced holder is admitted. The trail records the
   * reset.
   *
   * @return the mark before the reset
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
   * Records a refusal in the trail; the caller does this only after {@link #admitIn} on SQLite. If
   * the trail cannot be written, that is logged.
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

  /** Work on the marks in one transaction. */
  private interface OnMarks<T> {
    T with(Marks marks) throws SQLException;
  }

  /** For work that locks rows: if its process is stopped, the rows are unlocked after a time. */
  private <T> T inBoundedTransaction(OnMarks<T> work) throws SQLException {
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

  /** Retries after a serialization failure or a deadlock; the work must be repeatable. */
  private <T> T inTransaction(OnMarks<T> work) throws SQLException {
    int restarts = 0;
    while (true) {
      try (Transaction transaction = Transaction.begin(database)) {
        T result = work.with(marks(transaction.connection()));
        transaction.commit();
        return result;
      } catch (SQLException e) {
        if (!CheckRolledBack.isRestart(e) || restarts++ == MAX_RESTARTS) {
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
