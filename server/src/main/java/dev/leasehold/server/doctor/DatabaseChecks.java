package dev.leasehold.server.doctor;

import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Cockroach;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Postgres;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Sqlite;
import dev.leasehold.store.jdbc.status.DatabaseFacts.UnopenedSqlite;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.util.List;
import java.util.Locale;

/** Judges facts about a database. */
public final class DatabaseChecks {
  /** A renewal times out after a sixth of its ttl, and the shortest ttl is about 200 ms. */
  static final long SLOW_NANOS = 100_000_000;

  /** Leasehold does not compare these clocks, but operators compare logs. */
  static final long APART_MILLIS = 5_000;

  /** Routine clock corrections are a few milliseconds. */
  static final long BACK_MILLIS = 1_000;

  private static final int FULL = 2;

  private DatabaseChecks() {}

  /** How an outdated schema is brought up to date. */
  public enum Pending {
    /** The next command or server brings it up to date. */
    APPLIED_BY_ITSELF,
    /** An operator has to migrate it; until then every command is refused. */
    LEFT_TO_PEOPLE
  }

  public static List<Diagnosis> all(DatabaseFacts facts, Pending pending) {
    return List.of(
        reached(facts),
        clock(facts.clock()),
        schema(facts.schema(), pending),
        durability(facts.settings()),
        primary(facts.settings()));
  }

  static Diagnosis reached(DatabaseFacts facts) {
    String what =
        String.format(
            Locale.ROOT, "%s answers in %.1f ms", facts.product(), facts.roundTripNanos() / 1e6);
    return facts.roundTripNanos() < SLOW_NANOS
        ? new Diagnosis.Ok("store", what)
        : new Diagnosis.Warning(
            "store",
            what + ", which every command costs at least once",
            "run next to the database, or choose ttls that are long beside it");
  }

  static Diagnosis clock(DatabaseFacts.Clock clock) {
    long behindLastWrite = clock.lastWriteMillis().orElse(0) - clock.databaseMillis();
    if (behindLastWrite > BACK_MILLIS) {
      return new Diagnosis.Problem(
          "clock",
          "the database's clock has gone back: it is "
              + behindLastWrite
              + " ms behind the latest write, and leases run out later by that",
          "check its time synchronisation; the records are right again once the clock has caught"
              + " up");
    }
    long apart =
        Math.max(
            clock.beforeMillis() - clock.databaseMillis(),
            clock.databaseMillis() - clock.afterMillis());
    return apart <= APART_MILLIS
        ? new Diagnosis.Ok(
            "clock", "the database's clock is " + Math.max(0, apart) + " ms from this machine's")
        : new Diagnosis.Warning(
            "clock",
            "the database's clock is "
                + apart
                + " ms from this machine's: no lease depends on it, but logs will not match",
            "check the time synchronisation of both");
  }

  static Diagnosis schema(DatabaseFacts.Schema schema, Pending pending) {
    return switch (schema.state()) {
      case SchemaState.Current current -> new Diagnosis.Ok("schema", "the schema is up to date");
      case SchemaState.Missing missing ->
          new Diagnosis.Problem(
              "schema",
              "no leases are kept in this database; missing: "
                  + String.join(", ", schema.pending()),
              "is it the right one? leasehold migrate makes the tables");
      case SchemaState.Behind behind ->
          behind("the schema is at version " + behind.version(), schema.pending(), pending);
      case SchemaState.TooNew tooNew ->
          new Diagnosis.Problem(
              "schema",
              "the schema is of release 0." + tooNew.minor() + ", too new for this program",
              "upgrade this program");
    };
  }

  private static Diagnosis behind(String what, List<String> steps, Pending pending) {
    String missing = what + "; missing: " + String.join(", ", steps);
    return switch (pending) {
      case APPLIED_BY_ITSELF ->
          new Diagnosis.Warning(
              "schema",
              missing,
              "run leasehold migrate, or leave it to the next command that opens the store");
      case LEFT_TO_PEOPLE ->
          new Diagnosis.Problem(
              "schema", missing + "; every command is refused", "run leasehold migrate");
    };
  }

  static Diagnosis durability(DatabaseFacts.Settings settings) {
    return switch (settings) {
      case Sqlite(String journalMode, int synchronous)
          when !journalMode.equals("wal") || synchronous < FULL ->
          new Diagnosis.Problem(
              "durability",
              "SQLite's journal_mode is "
                  + journalMode
                  + " and synchronous is "
                  + synchronous
                  + ", and leases need wal and 2 (FULL)",
              "let leasehold migrate open the file, and do not change these settings afterwards");
      case Sqlite sqlite ->
          new Diagnosis.Ok("durability", "journal_mode is wal, synchronous is FULL");
      case UnopenedSqlite(String journalMode) ->
          new Diagnosis.Ok(
              "durability",
              "journal_mode is "
                  + journalMode
                  + "; every process that opens a store here sets wal and FULL");
      case Postgres postgres -> durability(postgres);
      case Cockroach cockroach ->
          new Diagnosis.Ok("durability", "a CockroachDB cluster acknowledges what it keeps");
    };
  }

  private static Diagnosis durability(Postgres settings) {
    String what =
        "fsync is "
            + settings.fsync()
            + ", synchronous_commit "
            + settings.synchronousCommit()
            + ", full_page_writes "
            + settings.fullPageWrites();
    if (settings.fsync().equals("off") || settings.synchronousCommit().equals("off")) {
      return new Diagnosis.Problem(
          "durability",
          what + ": a crash of the server may forget who holds what",
          "set fsync = on in postgresql.conf, and synchronous_commit to on for this user, database"
              + " or URL");
    }
    return settings.fullPageWrites().equals("off")
        ? new Diagnosis.Warning(
            "durability",
            what + ": a crash may leave torn pages, unless the disk writes pages whole",
            "set full_page_writes = on in postgresql.conf")
        : new Diagnosis.Ok("durability", what);
  }

  static Diagnosis primary(DatabaseFacts.Settings settings) {
    if (settings instanceof Postgres postgres && (postgres.replica() || postgres.readOnly())) {
      return new Diagnosis.Problem(
          "primary",
          postgres.replica()
              ? "the database is a read replica, and leases are written"
              : "transactions are read-only here, and leases are written",
          "point the store at the primary, as a user who may write");
    }
    return new Diagnosis.Ok("primary", "the database can be written to");
  }
}
