package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers of one SQLite file that are killed and stopped: one serves at a time (I1), a successor
 * does not wait until the dead server's one-hour lease expires, and grants of others are kept.
 */
class ServedFileTest {
  private static final String KEY = "leader/serve";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private WorkerFleet.Member server(WorkerFleet fleet, String holder) {
    return fleet.start(
        Server.class, holder, null, List.of(folder.resolve("leases.db").toString(), holder, KEY));
  }

  @Test
  void afterAKillTheNextServerServesAtOnceAndNoOtherHolderLosesItsLease() throws Exception {
    try (WorkerFleet fleet = new WorkerFleet()) {
      WorkerFleet.Member first = server(fleet, "api-1");
      first.await("serving", 1);
      try (JdbcStore store = Server.open(folder.resolve("leases.db"));
          Leases leases = Leases.on(store).holder("bystander").open();
          Lease lease = acquired(leases.acquire(LeaseRequest.of("lock/report"), MINUTE))) {
        first.kill();
        first.awaitEnd();

        WorkerFleet.Member second = server(fleet, "api-2");
        second.await("serving", 1);

        assertThat(second.last("revoked")).isEqualTo("revoked 1");
        lease.ensureHeld();
        assertThat(leases.tryAcquire(LeaseRequest.of("lock/report")))
            .isInstanceOfSatisfying(
                Acquisition.Held.class, held -> assertThat(held.token()).isEqualTo(lease.token()));
      }
    }
  }

  @Test
  void aSecondServerIsRefusedAndToldWhoTheFirstIs() {
    try (WorkerFleet fleet = new WorkerFleet()) {
      WorkerFleet.Member first = server(fleet, "api-1");
      first.await("serving", 1);

      WorkerFleet.Member second = server(fleet, "api-2");
      second.await("refused", 1);

      assertThat(second.last("refused"))
          .contains("leases.db is being served by api-1 (process " + first.pid() + ", since 2026-");
    }
  }

  @Test
  void aServerThatIsStoppedKeepsItsFile() {
    try (WorkerFleet fleet = new WorkerFleet()) {
      WorkerFleet.Member first = server(fleet, "api-1");
      first.await("serving", 1);
      first.stop();

      server(fleet, "api-2").await("refused", 1);

      first.resume();
      first.tell("stop");
      first.awaitEnd();
      server(fleet, "api-3").await("serving", 1);
    }
  }

  @Test
  void afterACleanEndThereIsNothingToRevoke() {
    try (WorkerFleet fleet = new WorkerFleet()) {
      WorkerFleet.Member first = server(fleet, "api-1");
      first.await("serving", 1);
      first.tell("stop");
      first.awaitEnd();

      WorkerFleet.Member second = server(fleet, "api-2");
      second.await("serving", 1);

      assertThat(second.last("revoked")).isEqualTo("revoked 0");
    }
  }

  private static Lease acquired(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }
}
