package dev.leasehold.store.jdbc.connections;

import java.io.EOFException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a failure of the database means for the commands in progress. */
public enum Failures {
  /** Rolled back because of a concurrent transaction: run it again. */
  RESTART,
  /** Another transaction has a row locked; nothing was changed. */
  LOCKED,
  /** No connection was available; nothing was sent. */
  UNREACHABLE,
  /** The connection is lost, and the commands may or may not have taken effect. */
  CUT_OFF,
  /** The statement itself failed, and was rolled back. */
  REFUSED;

  private static final String AMBIGUOUS = "40003";
  private static final Set<String> RESTARTS = Set.of("40001", "40P01", AMBIGUOUS);
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DISK_FULL = "53100";
  private static final String STARTING_UP = "57P03";
  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final String NO_DATABASE = "3D000";
  private static final String NO_RIGHT = "42501";

  /** The class of an unknown role, a wrong password, and a host that is not allowed. */
  private static final String REFUSED_WHO = "28";

  /**
   * The server has become a replica; a plan is older than a migration; the server has ended a
   * connection whose transaction took too long. Each is cured by a new connection.
   */
  private static final Set<String> OUTLIVED = Set.of("25006", "0A000", "25P03", "25P04");

  /** SQLite's own codes, since its driver gives no SQL state. */
  private static final int SQLITE_BUSY = 5;

  private static final int SQLITE_READONLY = 8;
  private static final int SQLITE_IOERR = 10;
  private static final int SQLITE_CORRUPT = 11;
  private static final int SQLITE_FULL = 13;
  private static final int SQLITE_CANTOPEN = 14;
  private static final int SQLITE_NOTADB = 26;
  private static final int SQLITE_PRIMARY_CODE = 0xff;

  public static Failures of(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (failure instanceof SQLTransientConnectionException) {
      return UNREACHABLE;
    }
    if (state.isEmpty()) {
      return switch (sqliteCode(failure)) {
        case SQLITE_BUSY -> LOCKED;
        // A commit whose sync failed may or may not survive a crash.
        case SQLITE_IOERR -> CUT_OFF;
        default -> REFUSED;
      };
    }
    if (RESTARTS.contains(state)) {
      // 40003 is CockroachDB's ambiguous result. The commands are sent again under the same request
      // ids, and get the answer of the first attempt if that took effect.
      return RESTART;
    }
    if (state.equals(LOCK_NOT_AVAILABLE)) {
      return LOCKED;
    }
    // 08: connection; 57P: shut down by an operator or a crash.
    boolean cutOff = state.startsWith("08") || state.startsWith("57P") || OUTLIVED.contains(state);
    return cutOff ? CUT_OFF : REFUSED;
  }

  /** Whether no connection was available for a temporary reason. */
  static boolean isAway(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return state.startsWith("08") || state.startsWith("57P") || state.equals(TOO_MANY_CONNECTIONS);
  }

  /**
   * Whether no connection can be opened until an operator changes something: no such file, database
   * or role, a wrong password, no right to connect. Retrying would not help.
   */
  public static boolean isForGood(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return switch (sqliteCode(failure)) {
      case SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_CORRUPT -> true;
      default ->
          state.startsWith(REFUSED_WHO) || state.equals(NO_DATABASE) || state.equals(NO_RIGHT);
    };
  }

  /**
   * Whether no server accepts connections at the address, or a proxy there has no server behind it.
   */
  static boolean isUnreachable(SQLException failure) {
    Throwable cause = failure.getCause();
    return STARTING_UP.equals(failure.getSQLState())
        || cause instanceof SocketException
        || cause instanceof EOFException;
  }

  /** Whether CockroachDB does not know if it committed. */
  public static boolean isAmbiguous(SQLException failure) {
    return AMBIGUOUS.equals(failure.getSQLState());
  }

  private static int sqliteCode(SQLException failure) {
    return failure.getSQLState() == null ? failure.getErrorCode() & SQLITE_PRIMARY_CODE : 0;
  }

  public static boolean isReadOnlyFile(SQLException failure) {
    return sqliteCode(failure) == SQLITE_READONLY;
  }

  /** The driver's exception behind a pool's. */
  public static SQLException root(SQLException failure) {
    SQLException root = failure;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      root = cause instanceof SQLException deeper ? deeper : root;
    }
    return root;
  }

  /** For people: what happened and, if known, what to do. */
  public static String text(SQLException failure) {
    String text = String.valueOf(failure.getMessage());
    return switch (sqliteCode(failure)) {
      case SQLITE_BUSY ->
          "another process has kept the write lock of the SQLite file for too long; end it, or keep"
              + " its transactions short ("
              + text
              + ")";
      case SQLITE_FULL -> "the disk of the SQLite file is full: make room (" + text + ")";
      case SQLITE_READONLY -> "the SQLite file can only be read (" + text + ")";
      case SQLITE_CANTOPEN ->
          "the SQLite file cannot be opened or made: its folder must be there, and this user must"
              + " be allowed to write to it ("
              + text
              + ")";
      case SQLITE_NOTADB ->
          "this is no SQLite file: name another; if it was one, restore it, then run leasehold"
              + " incarnation advance ("
              + text
              + ")";
      case SQLITE_CORRUPT ->
          "the SQLite file is damaged: restore it, then run leasehold incarnation advance ("
              + text
              + ")";
      default -> ofServer(failure, text);
    };
  }

  private static String ofServer(SQLException failure, String text) {
    if (failure.getCause() instanceof UnknownHostException unknown) {
      return "no host is known by the name " + unknown.getMessage();
    }
    return DISK_FULL.equals(failure.getSQLState())
        ? "the disk of the database is full: make room ("
            + text.lines().findFirst().orElse("")
            + ")"
        : text;
  }
}
