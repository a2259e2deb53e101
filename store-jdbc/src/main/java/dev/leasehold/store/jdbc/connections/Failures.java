package dev.leasehold.store.jdbc.connections;

import java.io.EOFException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a failure of the database means for the commands that met it. */
public enum Failures {
  /** Rolled back because of others: the same again will do. */
  RESTART,
  /** Somebody else keeps a row locked; nothing was changed. */
  LOCKED,
  /** No connection could be had; nothing was sent. */
  UNREACHABLE,
  /** The connection is gone, and nobody knows what became of what was sent. */
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

  /** The class of an unknown role, a wrong password, and a host that is not let in. */
  private static final String REFUSED_WHO = "28";

  /**
   * A server that has become a replica, a plan of before a migration, and sessions that the server
   * has ended since their transaction took too long.
   */
  private static final Set<String> OUTLIVED = Set.of("25006", "0A000", "25P03", "25P04");

  /** SQLite's own codes; its driver gives no SQL state. */
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
        // Of a commit whose sync failed nobody knows whether it will be there after a crash.
        case SQLITE_IOERR -> CUT_OFF;
        default -> REFUSED;
      };
    }
    if (RESTARTS.contains(state)) {
      // 40003 is CockroachDB's ambiguous result: sent again under the same request ids, it is told.
      return RESTART;
    }
    if (state.equals(LOCK_NOT_AVAILABLE)) {
      return LOCKED;
    }
    // 08: connection; 57P: shut down by an operator or a crash.
    boolean cutOff = state.startsWith("08") || state.startsWith("57P") || OUTLIVED.contains(state);
    return cutOff ? CUT_OFF : REFUSED;
  }

  /** Whether no connection could be had for a reason that may pass by itself. */
  static boolean isAway(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return state.startsWith("08") || state.startsWith("57P") || state.equals(TOO_MANY_CONNECTIONS);
  }

  /**
   * Whether no connection can be had until somebody changes something: no such file, database or
   * role, a wrong password, no right to connect. To try again would only keep people waiting.
   */
  public static boolean isForGood(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    return switch (sqliteCode(failure)) {
      case SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_CORRUPT -> true;
      default ->
          state.startsWith(REFUSED_WHO) || state.equals(NO_DATABASE) || state.equals(NO_RIGHT);
    };
  }

  /** Whether nobody takes connections there, or what does has nobody behind it. */
  static boolean isNobodyThere(SQLException failure) {
    Throwable cause = failure.getCause();
    return STARTING_UP.equals(failure.getSQLState())
        || cause instanceof SocketException
        || cause instanceof EOFException;
  }

  /** CockroachDB does not know whether it committed. */
  public static boolean isAmbiguous(SQLException failure) {
    return AMBIGUOUS.equals(failure.getSQLState());
  }

  private static int sqliteCode(SQLException failure) {
    return failure.getSQLState() == null ? failure.getErrorCode() & SQLITE_PRIMARY_CODE : 0;
  }

  public static boolean isReadOnlyFile(SQLException failure) {
    return sqliteCode(failure) == SQLITE_READONLY;
  }

  /** What a pool could not do, by what the driver said to it. */
  public static SQLException root(SQLException failure) {
    SQLException root = failure;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      root = cause instanceof SQLException deeper ? deeper : root;
    }
    return root;
  }

  /** For people: what happened, and what to do where that is known. */
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
