package dev.leasehold.cli.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.SharedStore;
import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Seal;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {
  private static final LeaseKey KEY = new LeaseKey("shard/7");
  private static final Target MARK = new Target("orders", Check.HIGH_WATER_MARK, Unsealed.BLOCKS);
  private static final LeaseCharter WHOLE =
      LeaseCharter.of("shard", Payload.SHARD, "one shard of the orders")
          .stallAfter(Duration.ofMinutes(2))
          .target(MARK);

  private final SharedStore store = new SharedStore();
  private final Shell shell = new Shell();

  AuditCommandTest() {
    shell.environment.put("LEASEHOLD_STORE", "memory:");
    shell.stores = place -> Store.of(store);
  }

  private void write(LedgerEntry... entries) {
    store.ledger().write(List.of(entries)).toCompletableFuture().join();
  }

  private void refuse() {
    write(
        new LedgerEntry.Refused(
            new RequestId("r1"),
            "orders",
            new Claim(KEY, Token.of(300, 4), "ann"),
            new Admission.Stale(Token.of(300, 9)),
            false));
  }

  @Test
  void anEmptyStoreHasNoHoles() {
    Result result = shell.run("audit");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("No charter", "no holes");
    assertThat(shell.run("audit", "--json").out().strip())
        .isEqualTo(
            "{\"outcome\":\"whole\",\"atMs\":1767225600000,\"charters\":[],\"targets\":[],"
                + "\"holes\":[],\"notes\":[],\"refusals\":[]}");
  }

  @Test
  void aCharterIsShownWithItsLines() {
    write(new LedgerEntry.Chartered(WHOLE, "ann"));
    Result result = shell.run("audit");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "CHARTER shard",
            "leases     shard: one shard of the orders",
            "rests on   the clock and the transactions of the store",
            "lasts      30s",
            "renewal    proves progress, at least every 2m",
            "hand-off   with a gap",
            "published  by ann, 0s ago",
            "target     orders: keeps a high-water mark",
            "NOTES",
            "never sealed");
  }

  @Test
  void aHoleIsNamedWithWhatToDoAndExitsWith7() {
    write(
        new LedgerEntry.Chartered(
            WHOLE.target(new Target("mails", Check.NONE, Unsealed.IS_A_HOLE)), "ann"));
    Result result = shell.run("audit");
    assertThat(result.code()).isEqualTo(7);
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("mails: DOES NOT CHECK", "HOLES", "mails of shard (unchecked target)", "-> ")
        .endsWith("1 hole" + System.lineSeparator());

    Result json = shell.run("audit", "--json");
    assertThat(json.code()).isEqualTo(7);
    assertThat(json.member("outcome")).isEqualTo("holes");
    assertThat(json.out())
        .hasLineCount(1)
        .contains(
            "\"holes\":[{\"rule\":\"UNCHECKED_TARGET\",\"about\":\"mails of shard\"",
            "{\"kind\":\"shard\",\"name\":\"mails\",\"check\":\"NONE\","
                + "\"whenUnsealed\":\"IS_A_HOLE\",\"checks\":false,\"failed\":[]}");
  }

  @Test
  void refusalsAreListedAndAreNoHole() {
    write(new LedgerEntry.Chartered(WHOLE, "ann"));
    refuse();
    Result result = shell.run("audit");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("2026-01-01T00:00:00Z  orders refused " + Token.of(300, 4) + " of ann on shard/7")
        .contains("stale, current is " + Token.of(300, 9));
    assertThat(shell.run("audit", "--json").out())
        .contains(
            "\"refusals\":[{\"atMs\":1767225600000,\"id\":\"r1\",\"target\":\"orders\","
                + "\"key\":\"shard/7\",\"token\":"
                + Token.of(300, 4)
                + ",\"who\":\"ann\",\"outcome\":\"stale\",\"current\":"
                + Token.of(300, 9)
                + ",\"suspectsRollback\":false}]");
  }

  @Test
  void leasesWithoutACharterAreAHole() {
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isZero();
    Result result = shell.run("audit");
    assertThat(result.code()).isEqualTo(7);
    assertThat(result.out()).contains("lock (no charter)");
  }

  @Test
  void itIsHelpedWithAndListed() {
    assertThat(shell.run("--help").out()).contains("audit", "7 holes found");
    assertThat(shell.run("audit", "--help").out()).contains("Exits with 7");
  }

  /** From a process with a charter, through a file, to the printed audit. */
  @Test
  void whatAProcessDoesIsSeenByAnother(@TempDir Path folder) throws Exception {
    String url = "sqlite:" + folder.resolve("leases.db");
    MemoryFence fence = new MemoryFence("orders", new RefusalTrail(InstantSource.system()));
    try (JdbcStore file = JdbcStore.at(url).migrate().open();
        Leases leases = Leases.on(file).holder("ann").charter(WHOLE).open()) {
      LeaseRequest request = LeaseRequest.of(KEY).sealing(Seal.of(fence));
      try (var lease = ((Acquisition.Acquired) leases.tryAcquire(request)).lease()) {
        lease.refused("orders", new Admission.Stale(Token.of(8_000, 1)));
      }
    }
    Shell own = new Shell();
    Result result = own.run("audit", "--store", url);
    assertThat(result.code()).as(result.err()).isEqualTo(7);
    assertThat(result.out())
        .contains("CHARTER shard", "by ann", "sealed with", "(suspected rollback)", "1 hole");
    assertThat(own.run("audit", "--store", url, "--json").out())
        .contains("\"suspectsRollback\":true", "\"sealed\":{\"atMs\":");
  }

  @Test
  void aTableWithATokenColumnIsFound(@TempDir Path folder) throws SQLException {
    String url = "sqlite:" + folder.resolve("leases.db");
    try (Connection connection = DriverManager.getConnection("jdbc:" + url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE invoice (id INTEGER PRIMARY KEY, Fencing_Token INTEGER)");
    }
    Result result = new Shell().run("audit", "--store", url);
    assertThat(result.code()).as(result.err()).isEqualTo(7);
    assertThat(result.out()).contains("invoice (unguarded table)", "Fencing_Token");
  }
}
