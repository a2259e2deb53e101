package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.verification.engines.PostgresNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real SIGSTOP of a process that has checked in a transaction of its own and has not committed
 * yet. The server ends that transaction when the trust has run out, so a successor gets the lease
 * (I11), or seals the target, while the process is still stopped; when it continues, its write has
 * not taken effect (I5, I4).
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class PausedCheckTest {
  private static final Duration TTL = Duration.ofSeconds(3);

  /** A limit that only a run that hangs reaches. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir Path folder;

  private PostgresNode node;

  @BeforeEach
  void start() throws Exception {
    node = PostgresNode.start(folder.resolve("postgres"));
    node.database().execute("CREATE TABLE notes (text text)");
    JdbcStore.at(node.url()).migrate().open().close();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private WorkerFleet.Member checked(WorkerFleet fleet, String by) {
    WorkerFleet.Member holder =
        fleet.start(
            CheckingHolder.class,
            "holder",
            null,
            List.of(node.url(), Long.toString(TTL.toMillis()), by));
    holder.await("checked", 1);
    holder.stop();
    return holder;
  }

  private static void goesOnInVain(WorkerFleet.Member holder) {
    holder.resume();
    holder.tell("commit");
    holder.await("not committed", 1);
    holder.awaitEnd();
  }

  @Test
  void aSuccessorGetsTheLeaseWhileTheProcessStillStands() throws Exception {
    try (WorkerFleet fleet = new WorkerFleet();
        JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(store).holder("successor").open()) {
      WorkerFleet.Member holder = checked(fleet, "effect");
      Acquisition taken = leases.acquire(LeaseRequest.of(CheckingHolder.KEY).ttl(TTL), TIMEOUT);
      assertThat(taken).isInstanceOf(Acquisition.Acquired.class);
      try (Lease lease = ((Acquisition.Acquired) taken).lease()) {
        assertThat(lease.token().counter()).isEqualTo(2);
        goesOnInVain(holder);
      }
    }
    assertThat(notes()).isZero();
  }

  @Test
  void aSuccessorSealsTheTargetWhileTheProcessStillStands() throws Exception {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(node.url());
    JdbcFence fence = JdbcFence.before("notes", database);
    try (WorkerFleet fleet = new WorkerFleet();
        JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(store).holder("successor").open()) {
      WorkerFleet.Member holder = checked(fleet, "mark");
      Acquisition taken = leases.acquire(LeaseRequest.of(CheckingHolder.KEY).ttl(TTL), TIMEOUT);
      try (Lease lease = ((Acquisition.Acquired) taken).lease()) {
        assertThat(fence.seal(lease.claim())).isEqualTo(Admission.ADMITTED);
        goesOnInVain(holder);
      }
    }
    assertThat(notes()).isZero();
  }

  private long notes() {
    return node.database().query(row -> row.getLong(1), "SELECT count(*) FROM notes").getFirst();
  }
}
