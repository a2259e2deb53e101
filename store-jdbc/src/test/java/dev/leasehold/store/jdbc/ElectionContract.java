package dev.leasehold.store.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.leader.ElectionBuilder;
import dev.leasehold.blocks.leader.ElectionListener;
import dev.leasehold.blocks.leader.Heir;
import dev.leasehold.blocks.leader.Leader;
import dev.leasehold.blocks.leader.LeaderLoop;
import dev.leasehold.blocks.leader.LeaderWorkResult;
import dev.leasehold.blocks.leader.StepDownResult;
import dev.leasehold.blocks.leader.Term;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaders on a real database, by its own clock: two replicas, each with a store of its own. */
@Timeout(120)
abstract class ElectionContract {
  private static final Duration TTL = Duration.ofSeconds(3);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long TIMEOUT_SECONDS = 60;

  private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
  private final List<Leases> processes = new ArrayList<>();
  private final List<JdbcStore> stores = new ArrayList<>();

  /** Opens another store on the database of this test. */
  abstract JdbcStore openStore();

  @AfterEach
  void closeAll() {
    processes.forEach(Leases::close);
    stores.forEach(JdbcStore::close);
  }

  private JdbcStore store() {
    JdbcStore store = openStore();
    stores.add(store);
    return store;
  }

  private ElectionBuilder replica(String name, JdbcStore store) {
    Leases leases = Leases.on(store).holder(name).open();
    processes.add(leases);
    return Election.on(leases).named("gateway").ttl(TTL).listener(new Crier(name));
  }

  private final class Crier implements ElectionListener {
    private final String name;

    Crier(String name) {
      this.name = name;
    }

    @Override
    public void elected(Term term) {
      news.add(name + " elected");
    }

    @Override
    public void lost(Term term, LossReason reason) {
      news.add(name + " lost by " + reason.getClass().getSimpleName());
    }
  }

  /** Tells of the first leader that is seen. */
  private record Observer(CompletableFuture<Leader> seen) implements ElectionListener {
    @Override
    public void observed(Leader leader) {
      seen.complete(leader);
    }
  }

  private LeaderLoop watch(String name) {
    return LeaderLoop.stream(
        "watch",
        leading -> {
          news.add(name + "'s loop begins");
          leading.ending().toCompletableFuture().get();
          news.add(name + "'s loop ends");
        });
  }

  private void assertNext(String... lines) throws InterruptedException {
    for (String line : lines) {
      assertThat(news.poll(TIMEOUT_SECONDS, SECONDS)).isEqualTo(line);
    }
  }

  @Test
  void a_leader_that_closes_stops_its_loops_and_is_followed() throws Exception {
    Election first = replica("anna", store()).ttl(HOUR).loop(watch("anna")).start();
    assertNext("anna elected", "anna's loop begins");
    try (Election second = replica("ben", store()).loop(watch("ben")).start()) {
      first.close();
      assertNext("anna's loop ends", "anna lost by Released", "ben elected", "ben's loop begins");
      assertThat(second.status().leader().orElseThrow().holder()).isEqualTo("ben");
    }
  }

  @Test
  void a_leader_whose_store_is_away_has_stopped_before_another_follows() throws Exception {
    JdbcStore line = store();
    Election first = replica("anna", line).loop(watch("anna")).start();
    assertNext("anna elected", "anna's loop begins");
    long before = first.status().term().orElseThrow().token().value();
    try (Election second = replica("ben", store()).start()) {
      line.close();
      assertNext("anna's loop ends", "anna lost by Unreachable", "ben elected");
      assertThat(second.status().term().orElseThrow().token().value()).isGreaterThan(before);
      assertThat(first.status().term()).isEmpty();
    }
  }

  /** The ttl is far longer than the test waits, so only a hint can wake the heir. */
  @Test
  void an_heir_takes_over_without_a_free_moment() throws Exception {
    Election first = replica("anna", store()).ttl(HOUR).loop(watch("anna")).start();
    assertNext("anna elected", "anna's loop begins");
    JdbcStore bens = store();
    TestListener listener = new TestListener();
    bens.leases().watch("", listener);
    listener.awaitReset();
    ElectionBuilder heirs = replica("ben", bens).ttl(HOUR).loop(watch("ben"));
    CompletableFuture<Leader> seen = new CompletableFuture<>();
    try (Election second = heirs.listener(new Observer(seen)).start()) {
      assertThat(seen.get(TIMEOUT_SECONDS, SECONDS).holder()).isEqualTo("anna");
      Heir heir = second.standReady().toCompletableFuture().get(TIMEOUT_SECONDS, SECONDS);
      StepDownResult resignation =
          first.handOver(heir).toCompletableFuture().get(TIMEOUT_SECONDS, SECONDS);
      assertNext("anna's loop ends", "anna lost by Released", "ben elected", "ben's loop begins");
      assertThat(((StepDownResult.SteppedDown) resignation).release())
          .isEqualTo(new Release.HandedOver(second.status().term().orElseThrow().token()));
    }
  }

  /** Of the writes of a superseded leader and its successor, only one takes effect. */
  @Test
  void a_write_of_a_leader_that_was_replaced_meanwhile_takes_no_effect() throws Exception {
    JdbcStore database = store();
    AtEffect notes = database.atEffect("notes", new RefusalTrail(() -> Instant.EPOCH));
    Election first = replica("anna", database).start();
    assertNext("anna elected");
    Term old = first.status().term().orElseThrow();
    Election second = replica("ben", store()).start();
    first.close();
    assertNext("anna lost by Released", "ben elected");

    Changed<Integer> late = notes.change(old.claim(), TTL, ElectionContract::createNotes);
    assertThat(late)
        .isInstanceOfSatisfying(
            Changed.NotMade.class,
            not -> assertThat(not.why()).isInstanceOf(Admission.Stale.class));
    LeaderWorkResult<Changed<Integer>> now =
        second.whileLeading(
            Duration.ofSeconds(TIMEOUT_SECONDS),
            leading ->
                notes.change(leading.claim(), leading.trust(), ElectionContract::createNotes));
    assertThat(now).isEqualTo(new LeaderWorkResult.Done<>(new Changed.Made<>(0)));
  }

  /** A second call would fail. */
  private static int createNotes(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate("CREATE TABLE notes (number integer)");
    }
  }
}
