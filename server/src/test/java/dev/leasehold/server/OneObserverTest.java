package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that embeds leases and a server tell the same events of the same story. */
@Timeout(120)
class OneObserverTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration SHORT_TTL = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int FAILED_RENEWALS = 2;

  /** What is told of the story. */
  private static final List<String> STORY =
      List.of(
          "Acquired end",
          "Acquired late",
          "Acquired plain",
          "Acquired refused",
          "Acquired revoked",
          "Acquired taken",
          "Acquired waited",
          "Lost revoked Revoked",
          "Lost taken",
          "NotAcquired given-up CANCELLED",
          "NotAcquired held HELD",
          "Refused refused by disk",
          "Released end",
          "Released late",
          "Released plain",
          "Released refused",
          "Released waited",
          "RenewedLate late after 2",
          "Superseded taken",
          "Waiting given-up HELD",
          "Waiting waited HELD");

  private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();

  @Test
  void theSameStoryInMemory() throws Exception {
    try (LeaseStore store = memory()) {
      sameEvents(store);
    }
  }

  @Test
  void theSameStoryOnSqlite(@TempDir Path folder) throws Exception {
    try (JdbcStore store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open()) {
      sameEvents(store.leases());
    }
  }

  private static LeaseStore memory() {
    return new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  }

  private void sameEvents(LeaseStore store) throws Exception {
    FaultyStore faulty = new FaultyStore(store);
    try (Leases leases = Leases.on(faulty).observer(events::add).open()) {
      story(new Embedded(leases), faulty, store, "embedded");
    }
    Set<String> embedded = told("embedded");
    assertThat(embedded).containsExactlyElementsOf(STORY);
    try (LeaseholdServer server = LeaseholdServer.on(faulty).observer(events::add).start()) {
      Caller caller = new Caller(server.address());
      story(new OverHttp(caller), faulty, store, "server");
      assertThat(told("server")).isEqualTo(embedded);
      assertMetricsAreTheEvents(caller.get("/metrics").text());
    }
    assertThat(store.ledger().read().toCompletableFuture().join().refusals())
        .extracting(refusal -> refusal.what().claim().key().text())
        .containsExactlyInAnyOrder("embedded/refused", "server/refused");
  }

  /** Each step has a key of its own. Anna's commands pass the faulty store, and ben's do not. */
  private void story(Anna anna, FaultyStore faulty, LeaseStore store, String kind)
      throws Exception {
    try (Leases ben = Leases.on(store).holder("ben").open()) {
      attempts(anna, ben, kind);
      anna.acquire(kind + "/late", TTL);
      faulty.fail(new LeaseKey(kind + "/late"), FAILED_RENEWALS);
      anna.renew(kind + "/late", FAILED_RENEWALS + 1);
      await(kind + "/late", LeaseEvent.RenewedLate.class);
      anna.release(kind + "/late");

      anna.acquire(kind + "/revoked", TTL);
      revoke(store, new LeaseKey(kind + "/revoked"));
      anna.renew(kind + "/revoked", 1);
      await(kind + "/revoked", LeaseEvent.Lost.class);

      anna.acquire(kind + "/refused", TTL);
      anna.beRefused(kind + "/refused");
      anna.release(kind + "/refused");

      anna.acquire(kind + "/taken", SHORT_TTL);
      faulty.fail(new LeaseKey(kind + "/taken"), Integer.MAX_VALUE);
      Lease taken = lease(ben.acquire(LeaseRequest.of(kind + "/taken"), LONG));
      anna.awaitNoTrust(kind + "/taken");
      faulty.fail(new LeaseKey(kind + "/taken"), 0);
      anna.release(kind + "/taken");
      await(kind + "/taken", LeaseEvent.Lost.class);
      await(kind + "/taken", LeaseEvent.Superseded.class);
      taken.close();
    }
    anna.acquire(kind + "/end", TTL);
    anna.release(kind + "/end");
    await(kind + "/end", LeaseEvent.Released.class);
  }

  private void attempts(Anna anna, Leases ben, String kind) throws Exception {
    anna.acquire(kind + "/plain", TTL);
    anna.release(kind + "/plain");

    Lease held = lease(ben.tryAcquire(LeaseRequest.of(kind + "/held")));
    anna.acquire(kind + "/held", TTL);
    held.close();

    Lease waited = lease(ben.tryAcquire(LeaseRequest.of(kind + "/waited")));
    Anna.Attempt later = anna.acquireLater(kind + "/waited");
    await(kind + "/waited", LeaseEvent.Waiting.class);
    waited.close();
    later.join();
    anna.release(kind + "/waited");

    Lease kept = lease(ben.tryAcquire(LeaseRequest.of(kind + "/given-up")));
    Anna.Attempt never = anna.acquireLater(kind + "/given-up");
    await(kind + "/given-up", LeaseEvent.Waiting.class);
    never.giveUp();
    await(kind + "/given-up", LeaseEvent.NotAcquired.class);
    kept.close();
  }

  private static Lease lease(Acquisition acquisition) {
    return ((Acquisition.Acquired) acquisition).lease();
  }

  private static void revoke(LeaseStore store, LeaseKey key) {
    Command revoke =
        new Command.Revoke(
            key,
            new Operator("op"),
            new Explanation("stuck"),
            Command.Reopening.NOW,
            RequestId.random());
    store.apply(List.of(revoke)).toCompletableFuture().join();
  }

  private void await(String key, Class<? extends LeaseEvent> type) {
    while (events.stream().noneMatch(one -> one.key().text().equals(key) && type.isInstance(one))) {
      Thread.onSpinWait();
    }
  }

  /**
   * What was told of the keys of a kind. A waiter asks as often as its timers say, and a holder
   * that is cut off learns by itself what a server reads from the store.
   */
  private Set<String> told(String kind) {
    Set<String> told = new TreeSet<>();
    for (LeaseEvent event : events) {
      if (event.key().kind().equals(kind)) {
        String name = event.key().text().substring(kind.length() + 1);
        told.add(event.getClass().getSimpleName() + " " + name + detail(event));
      }
    }
    return told;
  }

  private static String detail(LeaseEvent event) {
    return switch (event) {
      case LeaseEvent.Waiting waiting -> " " + waiting.cause();
      case LeaseEvent.NotAcquired ended -> " " + ended.cause();
      case LeaseEvent.RenewedLate late -> " after " + late.failedAttempts();
      case LeaseEvent.Lost lost -> lost.reason() instanceof LossReason.Revoked ? " Revoked" : "";
      case LeaseEvent.Refused refused -> " by " + refused.target();
      case LeaseEvent.Acquired acquired -> "";
      case LeaseEvent.Released released -> "";
      case LeaseEvent.Superseded superseded -> "";
      case LeaseEvent.OfBlock ofBlock -> "";
    };
  }

  private void assertMetricsAreTheEvents(String metrics) {
    assertCounted(metrics, "grants_total", LeaseEvent.Acquired.class);
    assertCounted(metrics, "waits_total", LeaseEvent.Waiting.class);
    assertCounted(metrics, "not_acquired_total", LeaseEvent.NotAcquired.class);
    assertCounted(metrics, "late_renewals_total", LeaseEvent.RenewedLate.class);
    assertCounted(metrics, "releases_total", LeaseEvent.Released.class);
    assertCounted(metrics, "losses_total", LeaseEvent.Lost.class);
    assertCounted(metrics, "takeovers_total", LeaseEvent.Superseded.class);
    assertCounted(metrics, "refused_writes_total", LeaseEvent.Refused.class);
  }

  private void assertCounted(String metrics, String name, Class<? extends LeaseEvent> type) {
    Matcher line =
        Pattern.compile("^leasehold_" + name + "(?:\\{.*})? (\\d+)\\.0$", Pattern.MULTILINE)
            .matcher(metrics);
    long counted = line.results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
    long told =
        events.stream()
            .filter(event -> event.key().kind().equals("server"))
            .filter(type::isInstance)
            .count();
    assertThat(counted).as(name).isEqualTo(told).isPositive();
  }

  /** The blocked observer holds up the other users' ones, and nothing else. */
  @Test
  void slowAndThrowingObserversDoNotDisturbACaller() {
    CountDownLatch end = new CountDownLatch(1);
    try (LeaseStore store = memory();
        LeaseholdServer server =
            LeaseholdServer.on(store)
                .observer(
                    event -> {
                      throw new IllegalStateException("observer");
                    })
                .observer(event -> awaitUninterrupted(end))
                .start()) {
      Caller caller = new Caller(server.address());
      for (int i = 0; i < 5; i++) {
        Token token = new Token(caller.acquire("lock/a").token());
        assertThat(caller.release("lock/a", token.value()).outcome()).isEqualTo("released");
      }
      String counted = "leasehold_observer_failures_total 1.0";
      while (!caller.get("/metrics").text().contains(counted)) {
        Thread.onSpinWait();
      }
      assertThat(caller.get("/metrics").text())
          .contains(
              "leasehold_grants_total 5.0",
              "leasehold_releases_total 5.0",
              "leasehold_observer_dropped_total 0.0");
      end.countDown();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("the test has given up", e);
    }
  }
}
