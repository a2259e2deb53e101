package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.model.ForwardingStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk is full. Callers are told so, acknowledged commands survive (I7), no holder trusts its
 * lease longer than the grant lasts (I6), and once there is room everything continues (I12).
 */
class FullDiskTest {
  private static final Ticker TICKER = Ticker.system();
  private static final Duration TTL = Duration.ofMinutes(5);
  private static final int MAX_KEYS = 5_000;
  private static final int RELEASED = 10;
  private static final LeaseKey AFTERWARDS = new LeaseKey("work/afterwards");

  @TempDir Path folder;

  private final Judged judged = new Judged();

  @Test
  void aFullFileIsSaidAndCostsNothingThatWasAcknowledged() throws Exception {
    fillTheFile(store -> store).requireClean();
  }

  /** The control: an answer that pretends that there was room is found out. */
  @Test
  void pretendingThatTheFileHadRoomIsFoundOut() throws Exception {
    assertThat(fillTheFile(Pretending::new).broken()).contains(Invariant.I7);
  }

  @Test
  void aFullServerIsSaidAndCostsNothingThatWasAcknowledged() throws Exception {
    fillTheServer(store -> store).requireClean();
  }

  /** The control. */
  @Test
  void pretendingThatTheServerHadRoomIsFoundOut() throws Exception {
    assertThat(fillTheServer(Pretending::new).broken()).contains(Invariant.I7);
  }

  private CheckResult fillTheFile(UnaryOperator<LeaseStore> defect) throws Exception {
    Database database = new Database("sqlite:" + folder.resolve("leases.db"));
    new Journal(database).install();
    long pages = database.query(row -> row.getLong(1), "PRAGMA page_count").getFirst() + 20;
    try (JdbcStore store = JdbcStore.at(database.url() + "?max_page_count=" + pages).open()) {
      List<Claim> unused = useUp(Client.of(judged.recorded(defect.apply(store.leases()))));
    }
    try (JdbcStore store = JdbcStore.at(database.url()).open()) {
      Token unused = Client.of(judged.recorded(store.leases())).take(AFTERWARDS, TTL);
    }
    return judged.verdict(database, List.of());
  }

  private CheckResult fillTheServer(UnaryOperator<LeaseStore> defect) throws Exception {
    SmallDisk disk = new SmallDisk(Files.createDirectory(folder.resolve("small")), 4);
    assumeTrue(
        disk.isPossible(),
        "SKIPPED: a small file system cannot be mounted here, so a server's disk cannot be filled"
            + " (needs Linux with user namespaces)");
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"), disk)) {
      keepLeasesOn(disk, node.database());
      new Journal(node.database()).install();
      Filler filler = new Filler(node.database(), disk.folder().resolve("filler"));
      try (JdbcStore store = JdbcStore.at(node.url()).open();
          Leases leases = Leases.on(judged.recorded(store.leases())).holder("holder").open();
          Lease lease = hold(leases)) {
        Client client = Client.of(judged.recorded(defect.apply(store.leases())));
        filler.fillUp();
        List<Claim> kept = useUp(client);
        requireNoFalseTrust(lease, node);
        filler.makeRoom();
        Token unused = client.take(AFTERWARDS, TTL);
        for (Claim claim : kept) {
          assertThat(client.renew(claim.key(), claim.token())).isInstanceOf(Outcome.Renewed.class);
        }
      }
      return judged.verdict(node.database(), List.of());
    }
  }

  /** The store's tables and nothing else: the journal and the server's log have room. */
  private static void keepLeasesOn(SmallDisk disk, Database database) {
    database.execute("CREATE TABLESPACE small LOCATION '" + disk.folder() + "'");
    database.execute("ALTER ROLE postgres SET default_tablespace = small");
    JdbcStore.at(database.url()).migrate().open().close();
    database.execute("ALTER ROLE postgres RESET default_tablespace");
  }

  /** A file that the server itself writes, since no other process sees the disk. */
  private record Filler(Database database, Path file) {
    void fillUp() {
      assertThatThrownBy(() -> write("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)"))
          .hasMessageContaining("No space left on device");
    }

    void makeRoom() {
      write("SELECT 1 WHERE false");
    }

    private void write(String query) {
      database.execute("COPY (" + query + ") TO '" + file + "'");
    }
  }

  private static Lease hold(Leases leases) throws InterruptedException {
    LeaseRequest request = LeaseRequest.of("work/held").ttl(Duration.ofSeconds(2));
    Acquisition acquisition = leases.acquire(request, Duration.ofMinutes(1));
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  /** The lease may have been lost because there was no room, or renewed because there was. */
  private static void requireNoFalseTrust(Lease lease, PostgresNode node) {
    Duration trust = lease.trust();
    long trustedUntilNanos = TICKER.nanos() + trust.toNanos();
    long leftMillis = node.leftMillis("work/held");
    if (trust.isPositive()) {
      assertThat(trustedUntilNanos)
          .isLessThan(TICKER.nanos() + TimeUnit.MILLISECONDS.toNanos(leftMillis));
    }
  }

  /**
   * Acquires keys until the disk has no room for another, and releases some of them if there is
   * room for that.
   *
   * @return those that are still held
   */
  private static List<Claim> useUp(Client client) throws Exception {
    List<Claim> held = new ArrayList<>();
    List<Outcome> failures = new ArrayList<>();
    for (int i = 0; i < MAX_KEYS && failures.isEmpty(); i++) {
      LeaseKey key = new LeaseKey("work/" + i);
      switch (client.acquire(key, TTL)) {
        case Outcome.Granted granted -> held.add(Claim.of(key, granted.grant().token()));
        case Outcome.Failed failed -> failures.add(failed);
        case Outcome other -> throw new AssertionError(other);
      }
    }
    assertThat(held).hasSizeGreaterThan(RELEASED);
    assertThat(failures).singleElement().asString().contains("disk", "full: make room");
    assertThat(failures)
        .extracting(f -> ((Outcome.Failed) f).certainty())
        .containsExactly(Outcome.Certainty.NOT_APPLIED);
    for (Claim claim : held.subList(0, RELEASED)) {
      Outcome unused = client.release(claim.key(), claim.token());
    }
    return held.subList(RELEASED, held.size());
  }

  /** Reports every release as done. */
  private static final class Pretending extends ForwardingStore {
    Pretending(LeaseStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return batch.getFirst() instanceof Command.Release
          ? CompletableFuture.completedFuture(List.of(new Outcome.Released()))
          : super.apply(batch);
    }
  }
}
