package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.TableFacts.TokenColumn;
import dev.leasehold.store.jdbc.effects.Guard;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of a database beyond the contract; leases go on without it. */
class LedgerTest {
  private static final LedgerEntry CHARTERED =
      new LedgerEntry.Chartered(LeaseCharter.of("lock", Payload.EXCLUSION, "x"), "ann");

  private static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void leasesAreHadWhileTheLedgerIsLocked() throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store = schema.store().migrate().open();
        Connection locker = DriverManager.getConnection(schema.url(""))) {
      locker.setAutoCommit(false);
      try (Statement statement = locker.createStatement()) {
        statement.execute("LOCK TABLE leasehold_charter, leasehold_seal, leasehold_refusal");
      }
      var writing = store.leases().ledger().write(List.of(CHARTERED)).toCompletableFuture();
      Command acquire = TestCommands.acquiring(new LeaseKey("lock/a"));
      assertThat(TestCommands.get(store.leases().apply(List.of(acquire))).getFirst())
          .isInstanceOf(Outcome.Granted.class);
      assertThatThrownBy(writing::join).hasRootCauseInstanceOf(SQLException.class);
      locker.rollback();
      TestCommands.get(
          store.leases().ledger().write(List.of(CHARTERED)).thenApply(nothing -> true));
      assertThat(TestCommands.get(store.leases().ledger().read()).charters()).hasSize(1);
    }
  }

  @Test
  void aChangeAtEffectThatIsRefusedIsWrittenDownForOthers(@TempDir Path folder) {
    String url = "sqlite:" + folder.resolve("leases.db");
    LeaseKey key = new LeaseKey("lock/a");
    Claim stale;
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      stale = new Claim(key, TestCommands.acquireAndRelease(store.leases(), key), "ann");
      Token next = TestCommands.acquire(store.leases(), key);
      assertThat(next).isGreaterThan(stale.token());
      RefusalTrail trail = new RefusalTrail(InstantSource.system());
      assertThat(store.atEffect("orders", trail).admit(stale)).isInstanceOf(Admission.Stale.class);
    }
    try (JdbcStore another = JdbcStore.at(url).open()) {
      assertThat(TestCommands.get(another.leases().ledger().read()).refusals())
          .singleElement()
          .satisfies(
              refusal -> {
                assertThat(refusal.what().target()).isEqualTo("orders");
                assertThat(refusal.what().claim()).isEqualTo(stale);
                assertThat(refusal.what().suspectsRollback()).isFalse();
              });
    }
  }

  @Test
  void soIsOneWithATokenThatWasNeverIssuedWithWhatAndWho(@TempDir Path folder) {
    String url = "sqlite:" + folder.resolve("leases.db");
    Claim invented = new Claim(new LeaseKey("lock/a"), Token.of(8_000, 1), "ann");
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      isRefused(store, invented);
      assertThat(TestCommands.get(store.leases().suspectedRollbacks()).count()).isOne();
    }
    try (JdbcStore another = JdbcStore.at(url).open()) {
      assertThat(refusals(another))
          .singleElement()
          .satisfies(
              refusal -> {
                assertThat(refusal.what().target()).isEqualTo("orders");
                assertThat(refusal.what().claim()).isEqualTo(invented);
                assertThat(refusal.what().suspectsRollback()).isTrue();
              });
    }
  }

  private static List<LedgerReading.Refusal> refusals(JdbcStore store) {
    return TestCommands.get(store.leases().ledger().read()).refusals();
  }

  private static void isRefused(JdbcStore store, Claim claim) {
    RefusalTrail trail = new RefusalTrail(InstantSource.system());
    assertThat(store.atEffect("orders", trail).admit(claim)).isInstanceOf(Admission.Refused.class);
  }

  /** Until a refusal could not be written, and no later report would write it. */
  private static void refuseUnwritten(JdbcStore store, String url) throws SQLException {
    execute("jdbc:" + url, "ALTER TABLE leasehold_refusal RENAME TO gone");
    Claim invented = new Claim(new LeaseKey("lock/a"), Token.of(8_000, 1), "ann");
    isRefused(store, invented);
    // One thread writes, so the earlier entry has failed when this one has.
    LedgerEntry next =
        new LedgerEntry.Refused(
            RequestId.random(), "x", invented, new Admission.Stale(invented.token()), false);
    var writing = store.leases().ledger().write(List.of(next)).toCompletableFuture();
    assertThatThrownBy(writing::join).hasRootCauseInstanceOf(SQLException.class);
    execute("jdbc:" + url, "ALTER TABLE gone RENAME TO leasehold_refusal");
  }

  @Test
  @Timeout(60)
  void whatCouldNotBeWrittenIsWrittenLater(@TempDir Path folder) throws SQLException {
    String url = "sqlite:" + folder.resolve("leases.db");
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      refuseUnwritten(store, url);
      List<LedgerReading.Refusal> found = List.of();
      while (found.isEmpty()) {
        found = refusals(store);
      }
      assertThat(found).hasSize(1);
    }
  }

  @Test
  void orWhenTheStoreIsClosed(@TempDir Path folder) throws SQLException {
    String url = "sqlite:" + folder.resolve("leases.db");
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      refuseUnwritten(store, url);
    }
    try (JdbcStore another = JdbcStore.at(url).open()) {
      assertThat(refusals(another)).hasSize(1);
    }
  }

  @Test
  void aTokenThatWasNeverIssuedIsWrittenDownForOthers(@TempDir Path folder) {
    String url = "sqlite:" + folder.resolve("leases.db");
    LeaseKey key = new LeaseKey("lock/a");
    Token invented = Token.of(8_000, 1);
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      Command renew = Command.Renew.of(key, invented, Instance.random());
      assertThat(TestCommands.get(store.leases().apply(List.of(renew))).getFirst())
          .isInstanceOf(Outcome.Lost.class);
    }
    try (JdbcStore another = JdbcStore.at(url).open()) {
      LedgerReading reading = TestCommands.get(another.leases().ledger().read());
      assertThat(reading.refusals())
          .singleElement()
          .satisfies(
              refusal -> {
                assertThat(refusal.what().suspectsRollback()).isTrue();
                assertThat(refusal.what().claim().token()).isEqualTo(invented);
                assertThat(refusal.what().answer()).isInstanceOf(Admission.Unissued.class);
              });
    }
  }

  @Test
  void tokenColumnsWithoutAGuardAreFoundOnPostgres() throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store = schema.store().migrate().open()) {
      execute(
          schema.url(""),
          "CREATE TABLE plain (id int PRIMARY KEY, \"Fencing_Token\" bigint, token bigint)",
          "CREATE TABLE parts (id int, lease_token bigint) PARTITION BY RANGE (id)",
          "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
          "CREATE TABLE guarded (id int, fence_token bigint)",
          "CREATE TABLE forgotten (id int, leasehold_token bigint)");
      Guard unused =
          TestCommands.get(store.guards().install(Guard.byKey("guarded", new LeaseKey("lock/a"))));
      String here = schema.value("SELECT current_schema()") + ".";
      assertThat(TestCommands.get(store.leases().ledger().read()).tables().unguarded())
          .filteredOn(column -> column.table().startsWith(here))
          .containsExactly(
              new TokenColumn(here + "forgotten", "leasehold_token"),
              new TokenColumn(here + "parts", "lease_token"),
              new TokenColumn(here + "plain", "Fencing_Token"));
    }
  }

  @Test
  void tokenColumnsWithoutAGuardAreFoundOnSqlite(@TempDir Path folder) throws SQLException {
    String url = "sqlite:" + folder.resolve("leases.db");
    try (JdbcStore store = JdbcStore.at(url).migrate().open()) {
      execute(
          "jdbc:" + url,
          "CREATE TABLE plain (id INTEGER PRIMARY KEY, fencing_token INTEGER, token INTEGER)",
          "CREATE TABLE guarded (id INTEGER, fencing_token INTEGER)",
          "CREATE TRIGGER leasehold_guard_guarded_update BEFORE UPDATE ON guarded"
              + " BEGIN SELECT RAISE(ABORT, 'no'); END");
      assertThat(TestCommands.get(store.leases().ledger().read()).tables().unguarded())
          .containsExactly(new TokenColumn("plain", "fencing_token"));
    }
  }
}
