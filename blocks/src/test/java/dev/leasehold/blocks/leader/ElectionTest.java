package dev.leasehold.blocks.leader;

import static dev.leasehold.blocks.leader.ElectionFixture.await;
import static dev.leasehold.blocks.leader.ElectionFixture.awaitRole;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.Seal;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elections among replicas on a memory store, in time that the test controls. */
@Timeout(60)
class ElectionTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final LeaseCharter CHARTER =
      LeaseCharter.of("leader", Payload.COORDINATION, "what the leader does");

  private final ElectionFixture fixture = new ElectionFixture();
  private final ElectionFixture.House anna = fixture.house("anna");
  private final ElectionFixture.House ben = fixture.house("ben");

  @Test
  void ofManyWhoStandAtOnceOneWins() {
    List<Election> elections = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      elections.add(fixture.house("replica-" + i).election().start());
    }
    fixture.advance(Duration.ofMinutes(10));

    assertThat(fixture.news()).hasSize(1).allMatch(line -> line.endsWith(" elected"));
    assertThat(elections).filteredOn(e -> e.status().role() == Role.LEADER).hasSize(1);
    assertThat(elections).filteredOn(e -> e.status().role() == Role.CANDIDATE).hasSize(19);
    assertThat(elections).allMatch(e -> e.status().leader().isPresent());
    String leader = fixture.holder().orElseThrow();
    assertThat(elections).allMatch(e -> e.status().leader().orElseThrow().holder().equals(leader));
  }

  @Test
  void aTermHasATokenAndTellsWhoAndSinceWhen() {
    Election election = anna.election().start();
    ElectionStatus status = election.status();
    Term term = status.term().orElseThrow();
    assertThat(term.key()).isEqualTo(ElectionFixture.KEY);
    assertThat(term.holder()).isEqualTo("anna");
    assertThat(term.token()).isEqualTo(fixture.grant().orElseThrow().token());
    assertThat(term.claim().token()).isEqualTo(term.token());
    assertThat(term.claim().who()).isEqualTo("anna");
    assertThat(status.lastError()).isEmpty();
    assertThat(fixture.grant().orElseThrow().terms().ttlMillis()).isEqualTo(30_000);
  }

  /** No event has run that could have reported the loss. */
  @Test
  void aReplicaThatStoodStillShowsNoTermThatIsOver() {
    Election election = anna.election().start();
    fixture.pause(TTL);
    assertThat(election.status().term()).isEmpty();
  }

  @Test
  void aLeaderThatDiesIsFollowedWhenItsLeaseHasRunOut() {
    Election first = anna.election().start();
    Election second = ben.election().start();
    anna.cutOff();
    fixture.advance(TTL.plusMillis(150));
    assertThat(second.status().role()).isEqualTo(Role.LEADER);
    assertThat(first.status().term()).isEmpty();
    assertThat(fixture.news())
        .containsExactly("anna elected", "anna ending", "anna lost by Unreachable", "ben elected");
  }

  @Test
  void aLeaderThatClosesIsFollowedAtOnce() {
    Election first = anna.election().start();
    ben.election().start();
    first.close();
    fixture.advance(Duration.ofMillis(1));
    assertThat(fixture.news())
        .containsExactly("anna elected", "anna ending", "anna lost by Released", "ben elected");
    assertThat(fixture.holder()).contains("ben");
    assertThat(first.status().role()).isEqualTo(Role.CLOSED);
  }

  @Test
  void whoStepsDownIsNoCandidateForAMomentAndThenIsAgain() throws Exception {
    Election first = anna.election().start();
    Election second = ben.election().start();
    Term over = first.status().term().orElseThrow();
    StepDownResult resignation = first.stepDown().toCompletableFuture().get(60, SECONDS);
    assertThat(resignation).isEqualTo(new StepDownResult.SteppedDown(new Release.Released()));
    assertThat(first.status().role()).isEqualTo(Role.STANDBY);
    fixture.advance(Duration.ofMillis(1));
    assertThat(second.status().role()).isEqualTo(Role.LEADER);
    fixture.advance(Duration.ofSeconds(10));
    assertThat(first.status().role()).isEqualTo(Role.CANDIDATE);
    assertThat(first.status().leader().orElseThrow().holder()).isEqualTo("ben");
    first.inherit(over.token());
    assertThat(first.status().lastError()).as("its own term is no inheritance").isEmpty();

    second.close();
    fixture.advance(Duration.ofMillis(50));
    assertThat(first.status().role()).isEqualTo(Role.LEADER);
    assertThat(second.stepDown().toCompletableFuture().get(60, SECONDS))
        .isEqualTo(new StepDownResult.NotLeading());
  }

  @Test
  void everyReplicaSeesWhichReplicaLeads() {
    Election first = anna.election().start();
    ben.election().start();
    ElectionFixture.House carl = fixture.house("carl");
    carl.election().start();
    assertThat(fixture.sightings())
        .containsExactly("anna sees anna", "ben sees anna", "carl sees anna");
    first.close();
    fixture.advance(Duration.ofSeconds(3));
    String next = fixture.holder().orElseThrow();
    assertThat(fixture.sightings()).contains("ben sees " + next, "carl sees " + next);
  }

  @Test
  void aTargetIsSealedBeforeAnyListenerIsToldOfTheTerm() {
    ElectionFixture.House sealed = fixture.house("sealed");
    sealed.leases.attach(
        CHARTER.target(new Target("orders", Check.HIGH_WATER_MARK, Unsealed.BLOCKS)));
    sealed
        .election()
        .sealing(
            Seal.of(
                "orders",
                claim -> {
                  fixture.write("orders sealed with " + claim.who());
                  return new Admission.Admitted();
                }))
        .start();
    assertThat(fixture.news()).containsExactly("orders sealed with sealed", "sealed elected");
  }

  @Test
  void aTargetThatCannotBeSealedKeepsTheReplicaFromLeadingAndIsTriedAgain() {
    ElectionFixture.House sealed = fixture.house("sealed");
    sealed.leases.attach(
        CHARTER.target(new Target("orders", Check.HIGH_WATER_MARK, Unsealed.BLOCKS)));
    CountDownLatch failures = new CountDownLatch(2);
    Election election =
        sealed
            .election()
            .sealing(
                Seal.of(
                    "orders",
                    claim -> {
                      if (failures.getCount() > 0) {
                        failures.countDown();
                        throw new IllegalStateException("orders is away");
                      }
                      return new Admission.Admitted();
                    }))
            .start();
    assertThat(election.status().role()).isEqualTo(Role.STANDBY);
    assertThat(election.status().lastError().orElseThrow()).contains("orders is away");
    assertThat(fixture.holder()).isEmpty();
    fixture.advance(Duration.ofSeconds(4));
    assertThat(fixture.news()).containsExactly("sealed elected");
  }

  @Test
  void aListenerThatThrowsCostsNoLeaseAndIsCounted() {
    Election election =
        anna.election()
            .listener(
                new ElectionListener() {
                  @Override
                  public void elected(Term term) {
                    throw new IllegalStateException("oops");
                  }
                })
            .listener(
                new ElectionListener() {
                  @Override
                  public void elected(Term term) {
                    fixture.write("the next one is told all the same");
                  }
                })
            .start();
    fixture.advance(Duration.ofMinutes(3));
    assertThat(election.status().role()).isEqualTo(Role.LEADER);
    assertThat(election.status().listenerErrors()).isOne();
    assertThat(election.status().lastError().orElseThrow()).contains("oops");
    assertThat(fixture.news()).containsExactly("anna elected", "the next one is told all the same");
  }

  @Test
  void whoIsToldOfAnElectionFindsItInTheStatus() {
    Election first = anna.election().start();
    List<Election> second = new ArrayList<>();
    second.add(
        ben.election()
            .listener(
                new ElectionListener() {
                  @Override
                  public void elected(Term term) {
                    fixture.write("status has it: " + hasTerm(second.getFirst(), term));
                  }
                })
            .start());
    first.close();
    assertThat(fixture.news()).endsWith("ben elected", "status has it: true");
  }

  private static boolean hasTerm(Election election, Term term) {
    return election.status().term().equals(Optional.of(term));
  }

  @Test
  void closingDoesNotWaitForEverForAListenerThatHangs() {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicBoolean letGo = new AtomicBoolean();
    Election election =
        Election.on(
                fixture
                    .builder("dora", fixture.house("dora"))
                    .callbacks(task -> Thread.ofVirtual().start(task))
                    .open())
            .named("billing")
            .listener(
                new ElectionListener() {
                  @Override
                  public void elected(Term term) {
                    hanging.countDown();
                    while (!letGo.get()) {
                      LockSupport.park();
                    }
                  }
                })
            .start();
    await(() -> hanging.getCount() == 0);
    Thread closer = Thread.ofPlatform().daemon().start(election::close);
    await(
        () -> {
          fixture.advance(Duration.ofSeconds(1));
          return !closer.isAlive();
        });
    assertThat(election.status().role()).isEqualTo(Role.CLOSED);
  }

  @Test
  void workRunsWhileTheReplicaLeadsAndNotElsewhere() throws Exception {
    Election first = anna.election().start();
    Election second = ben.election().start();
    assertThat(first.whileLeading(Duration.ZERO, leading -> leading.claim().who()))
        .isEqualTo(new LeaderWorkResult.Done<>("anna"));
    assertThat(second.whileLeading(Duration.ZERO, leading -> "never"))
        .isInstanceOfSatisfying(
            LeaderWorkResult.NotLeading.class,
            not -> assertThat(not.leader().toString()).contains("anna"));
    assertThatThrownBy(
            () ->
                first.whileLeading(
                    Duration.ZERO,
                    leading -> {
                      throw new java.io.IOException("mine");
                    }))
        .isInstanceOf(java.io.IOException.class);
    assertThat(first.status().role()).isEqualTo(Role.LEADER);
  }

  @Test
  void workWaitsForTheTermAndItsLossInterruptsIt() throws Exception {
    anna.election().start();
    Election second = ben.election().start();
    CompletableFuture<Term> begun = new CompletableFuture<>();
    FutureTask<LeaderWorkResult<String>> work =
        new FutureTask<>(
            () ->
                second.whileLeading(
                    Duration.ofHours(1),
                    leading -> {
                      begun.complete(leading.term());
                      new CountDownLatch(1).await();
                      return "never";
                    }));
    Thread worker = Thread.ofPlatform().daemon().start(work);
    await(() -> worker.getState() == Thread.State.WAITING);
    anna.cutOff();
    fixture.advance(TTL.plusMillis(200));
    assertThat(begun.get(60, SECONDS).holder()).isEqualTo("ben");
    fixture.revoke();
    fixture.advance(Duration.ofSeconds(11));
    assertThat(work.get(60, SECONDS))
        .isInstanceOfSatisfying(
            LeaderWorkResult.LostMeanwhile.class,
            lost -> {
              assertThat(lost.reason()).isEqualTo(new LossReason.Revoked("op", "stuck"));
              assertThat(lost.thrown().orElseThrow()).isInstanceOf(InterruptedException.class);
            });
  }

  @Test
  void whoWaitsInVainIsToldSo() throws Exception {
    anna.election().start();
    Election second = ben.election().start();
    FutureTask<LeaderWorkResult<String>> work =
        new FutureTask<>(() -> second.whileLeading(Duration.ofSeconds(5), leading -> "never"));
    Thread worker = Thread.ofPlatform().daemon().start(work);
    await(() -> worker.getState() == Thread.State.WAITING);
    fixture.advance(Duration.ofSeconds(5));
    assertThat(work.get(60, SECONDS)).isInstanceOf(LeaderWorkResult.NotLeading.class);
  }

  /** Work that has begun when this returns, and writes at its end. */
  private FutureTask<LeaderWorkResult<String>> workUntil(
      CountDownLatch stop, Election leader, String atTheEnd) throws InterruptedException {
    CountDownLatch working = new CountDownLatch(1);
    FutureTask<LeaderWorkResult<String>> work =
        new FutureTask<>(
            () ->
                leader.whileLeading(
                    Duration.ZERO,
                    leading -> {
                      working.countDown();
                      stop.await();
                      fixture.write(atTheEnd);
                      return "done";
                    }));
    Thread.ofPlatform().daemon().start(work);
    working.await();
    return work;
  }

  @Test
  void withAGapTheHeirStartsWhenTheWorkHasEnded() throws Exception {
    Election first = anna.election().start();
    Election second = ben.election().start();
    CountDownLatch stop = new CountDownLatch(1);
    FutureTask<LeaderWorkResult<String>> work = workUntil(stop, first, "anna's work has ended");
    Heir heir = second.standReady().toCompletableFuture().get(60, SECONDS);
    CompletableFuture<StepDownResult> resignation = first.handOver(heir).toCompletableFuture();
    fixture.advance(Duration.ofSeconds(2));
    assertThat(first.status().role()).isEqualTo(Role.STEPPING_DOWN);
    assertThat(first.status().stillRunning()).containsExactly("billing");
    stop.countDown();
    assertThat(work.get(60, SECONDS)).isEqualTo(new LeaderWorkResult.Done<>("done"));
    assertThat(resignation.get(60, SECONDS).toString()).contains("HandedOver");
    fixture.advance(Duration.ofMillis(100));
    assertThat(second.status().role()).isEqualTo(Role.LEADER);
    assertThat(fixture.news())
        .containsExactly(
            "anna elected",
            "anna ending",
            "anna's work has ended",
            "anna lost by Released",
            "ben elected");
  }

  @Test
  void withAnOverlapTheHeirIsWarmBeforeTheTokenMovesAndTheWorkMayWindDown() throws Exception {
    ElectionFixture.House giver = fixture.house("giver");
    giver.leases.attach(CHARTER.handoff(Handoff.OVERLAP));
    Election first = giver.election().start();
    Election second = ben.election().warmUp(() -> fixture.write("ben is warm")).start();
    CountDownLatch stop = new CountDownLatch(1);
    FutureTask<LeaderWorkResult<String>> work =
        workUntil(stop, first, "the giver's work has ended");
    Heir heir = second.standReady().toCompletableFuture().get(60, SECONDS);
    CompletableFuture<StepDownResult> resignation = first.handOver(heir).toCompletableFuture();
    fixture.advance(Duration.ofMillis(100));
    assertThat(second.status().role()).isEqualTo(Role.LEADER);
    assertThat(first.status().role()).isEqualTo(Role.STEPPING_DOWN);
    assertThat(resignation).isNotDone();
    stop.countDown();
    work.get(60, SECONDS);
    assertThat(resignation.get(60, SECONDS)).isInstanceOf(StepDownResult.SteppedDown.class);
    assertThat(fixture.news())
        .containsExactly(
            "giver elected",
            "ben is warm",
            "giver ending",
            "giver lost by Released",
            "ben elected",
            "the giver's work has ended");
    assertThat(second.status().term().orElseThrow().token())
        .isEqualTo(fixture.grant().orElseThrow().token());
  }

  @Test
  void anHeirThatIsToldByItsGiverNeedsNoHint() throws Exception {
    Election first = anna.election().start();
    Election second = ben.election().start();
    Heir heir = second.standReady().toCompletableFuture().get(60, SECONDS);
    StepDownResult.SteppedDown gone =
        (StepDownResult.SteppedDown) first.handOver(heir).toCompletableFuture().get(60, SECONDS);
    second.inherit(((Release.HandedOver) gone.release()).token());
    assertThat(second.status().role()).isEqualTo(Role.LEADER);
    assertThatThrownBy(() -> second.handOver(heir)).isInstanceOf(IllFormedException.class);
  }

  /** Its own old grant is still on record, but its term was reported as lost. */
  @Test
  void aTermThatWasLostIsNotTakenUpAgainAsIfItWereInherited() {
    Election election = anna.election().start();
    long first = election.status().term().orElseThrow().token().value();
    anna.cutOff();
    fixture.advance(Duration.ofSeconds(28));
    assertThat(fixture.news()).endsWith("anna lost by Unreachable");
    anna.reconnect();
    election.inherit(new Token(first));
    fixture.advance(Duration.ofMinutes(1));
    awaitRole(election, Role.LEADER);
    assertThat(election.status().term().orElseThrow().token().value()).isGreaterThan(first);
  }

  @Test
  void aSingleReplicaLeadsAtOnceAndAfterSteppingDownAgain() throws Exception {
    Election election = anna.election().singleReplica().start();
    assertThat(election.status().role()).isEqualTo(Role.LEADER);
    election.stepDown().toCompletableFuture().get(60, SECONDS);
    fixture.advance(Duration.ZERO);
    assertThat(election.status().role()).isEqualTo(Role.LEADER);

    Election unexpected = ben.election().singleReplica().start();
    fixture.advance(Duration.ofMinutes(5));
    assertThat(unexpected.status().role()).as("the lease holds").isEqualTo(Role.CANDIDATE);
  }

  @Test
  void whatCannotBeKeptIsRefusedBeforeItIsStarted() {
    assertThatThrownBy(() -> anna.election().ttl(Duration.ofMillis(10)).start())
        .isInstanceOf(IllFormedException.class);
    ben.leases.attach(CHARTER.stallAfter(Duration.ofMinutes(2)));
    assertThatThrownBy(() -> ben.election().allowance(Duration.ofMinutes(2)).start())
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("stall limit");
    ben.election().start();
  }

  @Test
  void aProcessStandsForANameOnce() {
    Election first = anna.election().start();
    assertThatThrownBy(() -> anna.election().start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "this process stands for 'billing' already: use that election, or close it first");
    Election.on(anna.leases).named("other").start();
    first.close();
    assertThat(anna.election().start().status().role()).isEqualTo(Role.LEADER);
  }

  @Test
  void aCandidateShowsThatTheStoreIsAway() {
    anna.election().start();
    ben.line(
        batch -> CompletableFuture.failedFuture(new IllegalStateException("the line is dead")));
    Election candidate = ben.election().start();
    assertThat(candidate.status().role()).isEqualTo(Role.CANDIDATE);
    assertThat(candidate.status().lastError().orElseThrow()).contains("the line is dead");
    ben.reconnect();
    fixture.advance(Duration.ofSeconds(30));
    assertThat(candidate.status().leader().orElseThrow().holder()).isEqualTo("anna");
  }

  @Test
  void anElectionWhoseProcessClosesIsClosed() {
    Election leader = anna.election().start();
    Election candidate = ben.election().start();
    fixture.advance(Duration.ofSeconds(5)); // the ledger has its reports
    ben.leases.close();
    assertThat(candidate.status().role()).isEqualTo(Role.CLOSED);
    anna.leases.close();
    assertThat(leader.status().role()).isEqualTo(Role.CLOSED);
    assertThat(fixture.holder()).isEmpty();
    leader.close();
  }
}
