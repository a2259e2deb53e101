package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.spi.LedgerReading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What leases report to the ledger. No caller waits for it or fails because of it. */
class LedgerReportsTest {
  private static final LeaseCharter CHARTER =
      LeaseCharter.of("lock", Payload.EXCLUSION, "one report a night")
          .target(new Target("mark", Check.HIGH_WATER_MARK, Unsealed.BLOCKS))
          .target(new Target("cache", Check.HIGH_WATER_MARK, Unsealed.IS_A_HOLE));
  private static final Admission.Refused STALE = new Admission.Stale(Token.of(8_000, 77));
  private static final Seal SEAL = Seal.of("mark", claim -> Admission.ADMITTED);
  private static final LeaseRequest REQUEST = LeaseRequest.of(new LeaseKey("lock/a")).sealing(SEAL);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LeasesFixture fixture = new LeasesFixture();

  private Leases anna() {
    return fixture.builder("anna").charter(CHARTER).open();
  }

  private LedgerReading ledger() {
    return fixture.ledger().read().toCompletableFuture().join();
  }

  @Test
  void chartersArePublishedOnOpeningAndOnAttaching() {
    Leases anna = anna();
    LeaseCharter other = LeaseCharter.of("leader", Payload.COORDINATION, "all of it");
    anna.attach(other);
    fixture.advance(SECOND);
    assertThat(ledger().charters())
        .extracting(LedgerReading.Charter::charter, LedgerReading.Charter::holder)
        .containsExactly(tuple(other, "anna"), tuple(CHARTER, "anna"));
  }

  @Test
  void theCharterThatStaysIsPublishedAndNotTheOneThatComesLater() {
    anna().attach(CHARTER.ttl(Duration.ofSeconds(20)));
    fixture.advance(SECOND);
    assertThat(ledger().charters())
        .extracting(LedgerReading.Charter::charter)
        .containsExactly(CHARTER);
  }

  @Test
  void aCharterThatIsStillGoneByIsPublishedAgainAfterAnHour() throws Exception {
    Leases anna = anna();
    fixture.advance(Duration.ofMinutes(59));
    lease(anna.tryAcquire(REQUEST)).close();
    fixture.advance(SECOND);
    long opened = ledger().charters().getFirst().firstAtMillis();
    assertThat(ledger().charters().getFirst().lastAtMillis()).isEqualTo(opened);
    fixture.advance(Duration.ofMinutes(1));
    lease(anna.tryAcquire(REQUEST)).close();
    fixture.advance(SECOND);
    LedgerReading.Charter again = ledger().charters().getFirst();
    assertThat(again.firstAtMillis()).isEqualTo(opened);
    assertThat(again.lastAtMillis()).isGreaterThan(opened);
  }

  @Test
  void aLedgerThatIsAwayDelaysItAndBlocksNothing() throws Exception {
    fixture.ledgerAnswers(() -> CompletableFuture.failedFuture(new IOException("away")));
    Leases anna = anna();
    Lease lease = lease(anna.tryAcquire(REQUEST));
    lease.refused("mark", STALE);
    fixture.advance(Duration.ofSeconds(25));
    lease.ensureHeld();
    assertThat(ledger().charters()).isEmpty();

    fixture.ledgerAnswers(() -> CompletableFuture.completedFuture(null));
    fixture.advance(Duration.ofSeconds(10));
    assertThat(ledger().charters()).hasSize(1);
    assertThat(ledger().seals()).hasSize(1);
    assertThat(ledger().refusals()).hasSize(1);
  }

  @Test
  void aLedgerThatThrowsCostsNothingElse() throws Exception {
    fixture.ledgerAnswers(
        () -> {
          throw new IllegalStateException("planted");
        });
    Leases anna = anna();
    lease(anna.tryAcquire(REQUEST)).close();
    anna.close();
  }

  @Test
  void sealsAndFailuresAreReported() throws Exception {
    Seal failing =
        Seal.of(
            "cache",
            claim -> {
              throw new IOException("un\nplugged" + "!".repeat(1_000));
            });
    Leases anna = anna();
    Lease lease = lease(anna.tryAcquire(REQUEST.sealing(List.of(SEAL, failing))));
    fixture.advance(SECOND);
    List<LedgerReading.Seal> seals = ledger().seals();
    assertThat(seals)
        .extracting(seal -> seal.what().target(), seal -> seal.what().token())
        .containsExactly(tuple("cache", lease.token()), tuple("mark", lease.token()));
    assertThat(seals.getFirst().what().failure().orElseThrow()).contains("un plugged");
    assertThat(seals.getLast().what().failure()).isEqualTo(Optional.empty());
  }

  @Test
  void aTargetWhoseNameCannotBeWrittenCostsNothing() throws Exception {
    Leases ben = fixture.process("ben");
    Seal odd = Seal.of("line\nbreak", claim -> Admission.ADMITTED);
    Lease lease = lease(ben.tryAcquire(LeaseRequest.of(new LeaseKey("odd/a")).sealing(odd)));
    lease.refused("", STALE);
    fixture.advance(SECOND);
    assertThat(ledger().seals()).isEmpty();
    assertThat(ledger().refusals()).isEmpty();
  }

  @Test
  void aRefusalAfterATakeoverIsJustARefusal() throws Exception {
    Leases anna = anna();
    Leases ben = fixture.process("ben");
    Lease old = lease(anna.tryAcquire(REQUEST));
    fixture.revoke("lock/a");
    Lease next = lease(ben.tryAcquire(LeaseRequest.of(old.key())));
    old.refused("mark", new Admission.Stale(next.token()));
    fixture.advance(SECOND);
    assertThat(ledger().refusals())
        .extracting(
            refusal -> refusal.what().claim(),
            refusal -> refusal.what().target(),
            refusal -> refusal.what().suspectsRollback())
        .containsExactly(tuple(old.claim(), "mark", false));
  }

  @Test
  void aRefusalOfAHolderWhoseGrantIsCurrentIsASuspectedRollback() throws Exception {
    Lease lease = lease(anna().tryAcquire(REQUEST));
    lease.refused("mark", STALE);
    fixture.advance(SECOND);
    assertThat(ledger().refusals())
        .extracting(
            refusal -> refusal.what().answer(), refusal -> refusal.what().suspectsRollback())
        .containsExactly(tuple(STALE, true));
  }

  @Test
  void aTargetThatRefusesTheSealOfASuccessorPointsToARollback() throws Exception {
    Leases anna = anna();
    Seal refusing = Seal.of("mark", claim -> STALE);
    assertThat(anna.tryAcquire(REQUEST.sealing(List.of(refusing))))
        .isInstanceOf(Acquisition.Unsealed.class);
    fixture.advance(SECOND);
    assertThat(ledger().refusals())
        .as("although the lease was given back since")
        .extracting(refusal -> refusal.what().target(), r -> r.what().suspectsRollback())
        .containsExactly(tuple("mark", true));
    assertThat(ledger().seals())
        .singleElement()
        .satisfies(seal -> assertThat(seal.what().failure()).isPresent());
  }

  @Test
  void aTokenThatATargetTakesForUnissuedPointsToARollback() throws Exception {
    Lease lease = lease(anna().tryAcquire(REQUEST));
    lease.refused("mark", new Admission.Unissued(Optional.empty()));
    fixture.advance(SECOND);
    assertThat(ledger().refusals())
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.what().suspectsRollback()).isTrue());
  }

  @Test
  void whatStillWaitsIsWrittenOnClosing() throws Exception {
    Leases anna = anna();
    lease(anna.tryAcquire(REQUEST)).close();
    assertThat(ledger().seals()).as("within the second after the charter").isEmpty();
    anna.close();
    assertThat(ledger().seals()).hasSize(1);
  }

  @Test
  void aFloodOfRefusalsIsBoundedAndChartersStillFit() throws Exception {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    fixture.ledgerAnswers(() -> answer);
    Leases anna = anna();
    Lease lease = lease(anna.tryAcquire(REQUEST));
    for (int i = 0; i < 3 * LedgerReports.MOST_WAITING; i++) {
      lease.refused("mark", STALE);
    }
    anna.attach(LeaseCharter.of("leader", Payload.COORDINATION, "all of it"));
    assertThat(fixture.ledgerWrites()).as("one on its way, and all others gather").isEqualTo(1);

    fixture.ledgerAnswers(() -> CompletableFuture.completedFuture(null));
    answer.complete(null);
    fixture.advance(Duration.ofMinutes(1));
    LedgerReading reading = ledger();
    assertThat(reading.refusals()).hasSize(LedgerReports.MOST_WAITING - 1);
    assertThat(reading.charters()).hasSize(2);
  }

  @Test
  void whatIsTooMuchAtOnceGoesInSmallerBatches() throws Exception {
    List<Integer> sizes = new ArrayList<>();
    Leases anna = anna();
    fixture.advance(SECOND);
    Lease lease = lease(anna.tryAcquire(REQUEST));
    fixture.advance(SECOND);
    fixture.ledgerJudges(
        entries -> {
          sizes.add(entries.size());
          return entries.size() > 30
              ? CompletableFuture.failedFuture(new IOException("too slow"))
              : CompletableFuture.completedFuture(null);
        });
    // The first report is sent alone, and the others are gathered meanwhile.
    for (int i = 0; i < 151; i++) {
      lease.refused("mark", STALE);
    }
    fixture.advance(Duration.ofMinutes(5));
    assertThat(ledger().refusals()).hasSize(151);
    assertThat(sizes)
        .containsExactly(1, 100, 50, 25, 100, 50, 25, 100, 50, 25, 75, 37, 18, 57, 28, 29);
  }
}
