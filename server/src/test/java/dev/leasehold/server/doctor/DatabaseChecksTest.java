package dev.leasehold.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.server.doctor.DatabaseChecks.Pending;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Clock;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Cockroach;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Postgres;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Schema;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Settings;
import dev.leasehold.store.jdbc.status.DatabaseFacts.Sqlite;
import dev.leasehold.store.jdbc.status.DatabaseFacts.UnopenedSqlite;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** From the facts about a database to the advice, one fault at a time. */
class DatabaseChecksTest {
  private static final Postgres SAFE = new Postgres(false, false, "on", "on", "on");
  private static final Clock RIGHT = new Clock(10_000, 9_999, 10_001, OptionalLong.of(9_000));
  private static final Schema CURRENT = new Schema(new SchemaState.Current(), List.of());

  private static DatabaseFacts facts(Settings settings) {
    return new DatabaseFacts("PostgreSQL 17", 800_000, RIGHT, settings, CURRENT);
  }

  @Test
  void aDatabaseAsItShouldBeIsOkThroughout() {
    for (Settings settings :
        List.of(SAFE, new Sqlite("wal", 2), new UnopenedSqlite("delete"), new Cockroach())) {
      assertThat(DatabaseChecks.all(facts(settings), Pending.LEFT_TO_PEOPLE))
          .hasSize(5)
          .allSatisfy(one -> assertThat(one).isInstanceOf(Diagnosis.Ok.class));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "on,on,on,ok",
    "on,local,on,ok",
    "on,remote_write,on,ok",
    "off,on,on,problem",
    "on,off,on,problem",
    "on,on,off,warning"
  })
  void whatACrashOfPostgresCouldForget(String fsync, String commit, String pages, String verdict) {
    Diagnosis found = DatabaseChecks.durability(new Postgres(false, false, fsync, commit, pages));
    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.remedy().isEmpty()).isEqualTo(verdict.equals("ok"));
  }

  @ParameterizedTest
  @CsvSource({"wal,2,ok", "wal,3,ok", "wal,1,problem", "wal,0,problem", "delete,2,problem"})
  void whatACrashCouldTakeFromAFile(String journal, int synchronous, String verdict) {
    assertThat(DatabaseChecks.durability(new Sqlite(journal, synchronous)).verdict())
        .isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({"false,false,ok", "true,false,problem", "false,true,problem", "true,true,problem"})
  void leasesAreWritten(boolean replica, boolean readOnly, String verdict) {
    assertThat(DatabaseChecks.primary(new Postgres(replica, readOnly, "on", "on", "on")).verdict())
        .isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "10000,0,ok", // no write yet
    "10000,11000,ok", // an ordinary correction
    "10000,11001,problem",
    "5001,0,ok",
    "4998,0,warning",
    "15001,0,ok",
    "15002,0,warning",
    "4998,60000,problem"
  })
  void clocks(long database, long lastWrite, String verdict) {
    OptionalLong written = lastWrite == 0 ? OptionalLong.empty() : OptionalLong.of(lastWrite);
    assertThat(DatabaseChecks.clock(new Clock(database, 9_999, 10_001, written)).verdict())
        .isEqualTo(verdict);
  }

  @Test
  void aClockThatHasGoneBackIsSaidByHowMuch() {
    assertThat(DatabaseChecks.clock(new Clock(10_000, 9_999, 10_001, OptionalLong.of(70_000))))
        .isInstanceOf(Diagnosis.Problem.class)
        .satisfies(found -> assertThat(found.what()).contains("60000 ms behind"));
  }

  @ParameterizedTest
  @EnumSource
  void aSchemaThatIsBehindIsAProblemWhereMigrationIsLeftToOperators(Pending pending) {
    Schema behind = new Schema(new SchemaState.Behind(4), List.of("0005-api-keys"));
    Schema missing = new Schema(new SchemaState.Missing(), List.of("0005-api-keys"));
    assertThat(DatabaseChecks.schema(behind, pending).verdict())
        .isEqualTo(pending == Pending.LEFT_TO_PEOPLE ? "problem" : "warning");
    assertThat(DatabaseChecks.schema(missing, pending).verdict())
        .as("it may be another database")
        .isEqualTo("problem");
    for (Schema schema : List.of(behind, missing)) {
      assertThat(DatabaseChecks.schema(schema, pending).what()).contains("0005-api-keys");
      assertThat(DatabaseChecks.schema(schema, pending).remedy()).contains("leasehold migrate");
    }
    assertThat(DatabaseChecks.schema(CURRENT, pending).verdict()).isEqualTo("ok");
    assertThat(
            DatabaseChecks.schema(new Schema(new SchemaState.TooNew(3), List.of()), pending)
                .verdict())
        .isEqualTo("problem");
  }

  @Test
  void aDatabaseThatIsFarAwayIsWorthALook() {
    assertThat(
            DatabaseChecks.reached(
                    new DatabaseFacts(
                        "x", DatabaseChecks.SLOW_NANOS, RIGHT, new Cockroach(), CURRENT))
                .verdict())
        .isEqualTo("warning");
    assertThat(DatabaseChecks.reached(facts(SAFE)).what())
        .isEqualTo("PostgreSQL 17 answers in 0.8 ms");
  }
}
