package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.remote.RemoteDoctor;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.server.ops.Roles;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The roles that a replica reports, and the findings of its own examination. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(60)
class ReadyTest {
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);

  @AfterEach
  void close() {
    store.close();
  }

  private static List<Members> roles(LeaseholdServer server) {
    return new Caller(server.address()).get("/readyz").json().list("roles", 10);
  }

  /** A server acquires its lease in the background. */
  private static List<Members> rolesOnce(LeaseholdServer server, int count) {
    List<Members> roles = roles(server);
    while (roles.size() != count) {
      Thread.onSpinWait();
      roles = roles(server);
    }
    return roles;
  }

  private String onRecord(String prefix) {
    try (LeaseholdServer plain = LeaseholdServer.on(store).start()) {
      return new Caller(plain.address()).get("/v1/leases?prefix=" + prefix).text();
    }
  }

  @Test
  void aServerThatIsNotAnnouncedTakesNoLease() {
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      assertThat(roles(server)).isEmpty();
    }
    assertThat(onRecord("")).contains("\"items\":[]");
  }

  @Test
  void anAnnouncedServerHoldsALeaseUntilItStops() {
    try (LeaseholdServer server = LeaseholdServer.on(store).announced("1.2.3").start()) {
      Members role = rolesOnce(server, 1).getFirst();
      assertThat(role.text("name")).matches("leasehold-server/[0-9a-f]{8}");
      assertThat(role.number("term")).isPositive();
      String listed = new Caller(server.address()).get("/v1/leases").text();
      assertThat(listed)
          .contains(role.text("name"), "\"held\"", "1.2.3", server.address().toString());
    }
    assertThat(onRecord("leasehold-server/")).contains("\"free\"").doesNotContain("\"held\"");
  }

  @Test
  void anAnnouncementThatHasEndedIsMadeAgain() {
    try (LeaseholdServer server = LeaseholdServer.on(store).announced("1.2.3").start()) {
      long first = rolesOnce(server, 1).getFirst().number("term");
      store
          .advance(new Advance(OptionalInt.of(5_000), OptionalInt.empty(), OptionalLong.of(0)))
          .toCompletableFuture()
          .join();
      long term = first;
      while (term == first) {
        Thread.onSpinWait();
        term = rolesOnce(server, 1).getFirst().number("term");
      }
      assertThat(term).isGreaterThan(first);
    }
  }

  @Test
  void theAnnouncementIsNoHole() {
    try (LeaseholdServer server = LeaseholdServer.on(store).announced("1.2.3").start();
        RemoteStore remote = RemoteStore.at(server.address().toString()).open()) {
      rolesOnce(server, 1);
      List<Diagnosis> found =
          remote.part(RemoteDoctor.class).orElseThrow().examine().toCompletableFuture().join();
      assertThat(found).allSatisfy(one -> assertThat(one).isInstanceOf(Diagnosis.Ok.class));
      assertThat(found).anySatisfy(one -> assertThat(one.what()).contains("1.2.3 at http"));
    }
  }

  @Test
  void anElectionIsShownWhileItIsLed() throws Exception {
    try (Leases leases = Leases.on(store).open()) {
      Election election = Election.on(leases).named("reports").start();
      try (LeaseholdServer server =
          LeaseholdServer.on(store)
              .election(election)
              .roles(() -> List.of(new Roles.Role("shard/7", new Token(5))))
              .start()) {
        Members first = rolesOnce(server, 2).getFirst();
        assertThat(first.text("name")).isEqualTo("leader/reports");
        assertThat(first.number("term"))
            .isEqualTo(election.status().term().orElseThrow().token().value());
        election.close();
        assertThat(rolesOnce(server, 1).getFirst().text("name")).isEqualTo("shard/7");
      }
    }
  }

  @Test
  void theStoreIsNamedToACallerThatMayKnow(@TempDir Path folder) {
    try (JdbcStore file = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
        LeaseholdServer server = LeaseholdServer.on(file).start()) {
      Members facts = new Caller(server.address()).get("/v1/store").json();
      var identity = file.diagnostics().identity().toCompletableFuture().join();
      assertThat(facts.text("storeId")).isEqualTo(identity.storeId());
      assertThat(facts.number("incarnation")).isEqualTo(identity.incarnation());
      assertThat(facts.has("systemId")).as("SQLite has none").isFalse();
      List<Diagnosis> found =
          Diagnosis.readAll(new Caller(server.address()).get("/v1/doctor").json());
      assertThat(found)
          .extracting(Diagnosis::check)
          .containsExactly(
              "store",
              "clock",
              "schema",
              "durability",
              "primary",
              "delivery",
              "clock-step",
              "witness",
              "versions",
              "rollbacks",
              "audit");
    }
  }
}
