package dev.leasehold.kernel;

import static dev.leasehold.kernel.LeasesFixture.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the charter of a kind adds to a request, and what it refuses. */
class ChartersTest {
  private static final String KEY = "cron/nightly";
  private static final LeaseRequest REQUEST = LeaseRequest.of(KEY);
  private static final LeaseCharter CHARTER =
      LeaseCharter.of("cron", Payload.EXCLUSION, "one run of one schedule")
          .ttl(Duration.ofSeconds(20))
          .grace(Duration.ofSeconds(4))
          .stallAfter(Duration.ofMinutes(1));
  private static final Seal.Action UNPLUGGED =
      claim -> {
        throw new IOException("unplugged");
      };

  private final LeasesFixture fixture = new LeasesFixture();

  private Leases with(LeaseCharter charter) {
    return fixture.builder("anna").charter(charter).open();
  }

  private void assertRefused(LeaseCharter charter, LeaseRequest request, String message) {
    Leases leases = with(charter);
    assertThatThrownBy(() -> leases.tryAcquire(request))
        .isInstanceOf(IllFormedException.class)
        .hasMessageStartingWith("the charter of 'cron' says ")
        .hasMessageContaining(message);
    assertThat(fixture.sent()).as("nothing was asked of the store").isEmpty();
  }

  private static LeaseCharter changing(String target, Check check, Unsealed whenUnsealed) {
    return CHARTER.target(new Target(target, check, whenUnsealed));
  }

  @Test
  void aRequestTakesItsDefaultsFromTheCharterOfItsKind() throws Exception {
    Lease lease = lease(with(CHARTER).tryAcquire(REQUEST));
    Terms terms = fixture.grantOf(KEY).orElseThrow().terms();

    assertThat(terms.ttlMillis()).as("to the letter, without jitter").isEqualTo(20_000);
    assertThat(terms.stallLimit()).isEqualTo(StallLimit.of(Duration.ofMinutes(1)));
    fixture.storeGoes();
    fixture.advance(Duration.ofSeconds(14).minusMillis(1));
    assertThat(lease.isEnding()).isFalse();
    fixture.advance(Duration.ofMillis(1));
    assertThat(lease.isEnding()).as("4 s before the trust of 18 s ends").isTrue();
  }

  @Test
  void aKindWithoutACharterIsAsBefore() throws Exception {
    lease(with(CHARTER).tryAcquire(LeaseRequest.of("lock/a").ttl(Duration.ofMinutes(5))));

    assertThat(fixture.grantOf("lock/a").orElseThrow().terms().ttlMillis()).isEqualTo(300_000);
  }

  @Test
  void aRequestMayBeStricter() throws Exception {
    LeaseRequest strict =
        REQUEST
            .ttl(Duration.ofSeconds(10))
            .grace(Duration.ofSeconds(1))
            .stallAfter(Duration.ofSeconds(30));
    lease(with(CHARTER).tryAcquire(strict));
    Terms terms = fixture.grantOf(KEY).orElseThrow().terms();

    assertThat(terms.ttlMillis()).isEqualTo(10_000);
    assertThat(terms.stallLimit()).isEqualTo(StallLimit.of(Duration.ofSeconds(30)));
  }

  @Test
  void aRequestForMoreThanTheCharterIsToldWhatToDo() {
    assertRefused(
        CHARTER,
        REQUEST.ttl(Duration.ofSeconds(21)),
        "a ttl of at most PT20S, the request for cron/nightly PT21S: ask for less, or write");
    assertRefused(
        CHARTER,
        REQUEST.stallAfter(Duration.ofMinutes(2)),
        "lost after 60000 ms without progress, the request for cron/nightly 120000 ms: leave");
  }

  @Test
  void aMarkIsSealedByEveryRequestUnlessTheCharterCallsItAHole() throws Exception {
    assertRefused(
        changing("ledger", Check.HIGH_WATER_MARK, Unsealed.BLOCKS),
        REQUEST,
        "target 'ledger' is sealed, the request for cron/nightly does not seal it: add sealing(");
    lease(with(changing("ledger", Check.HIGH_WATER_MARK, Unsealed.IS_A_HOLE)).tryAcquire(REQUEST));
  }

  @Test
  void aTargetThatTheCharterDoesNotNameCannotBeSealed() {
    assertRefused(
        CHARTER,
        REQUEST.sealing(Seal.of("cache", claim -> new Admission.Admitted())),
        "nothing of target 'cache', the request seals it: name the target in the charter");
  }

  @Test
  void whatHappensUnsealedIsTheChartersToSay() throws Exception {
    Leases blocking = with(changing("ledger", Check.HIGH_WATER_MARK, Unsealed.BLOCKS));
    assertThat(blocking.tryAcquire(REQUEST.sealing(Seal.of("ledger", UNPLUGGED))))
        .isInstanceOf(Acquisition.Unsealed.class);
    Leases lenient = with(changing("ledger", Check.HIGH_WATER_MARK, Unsealed.IS_A_HOLE));
    lease(lenient.tryAcquire(REQUEST.sealing(Seal.of("ledger", UNPLUGGED)))).close();

    Seal strict = Seal.of("ledger", UNPLUGGED).whenUnsealed(Unsealed.BLOCKS);
    assertThat(lenient.tryAcquire(REQUEST.sealing(strict)))
        .isInstanceOf(Acquisition.Unsealed.class);
  }

  @Test
  void aSealCannotCallAHoleWhatTheCharterDoesNot() {
    assertRefused(
        changing("ledger", Check.HIGH_WATER_MARK, Unsealed.BLOCKS),
        REQUEST.sealing(Seal.of("ledger", UNPLUGGED).whenUnsealed(Unsealed.IS_A_HOLE)),
        "target 'ledger' is sealed, its seal that it may be left a hole: leave that to the"
            + " charter");
  }

  @Test
  void aFenceThatOnlyAdvisesIsNotTheOneThatTheCharterPromises() throws Exception {
    MemoryFence fence = new MemoryFence("ledger", new RefusalTrail(() -> Instant.EPOCH));
    LeaseCharter charter = changing("ledger", Check.HIGH_WATER_MARK, Unsealed.BLOCKS);
    Guarantee advice = new Guarantee(Guarantee.Durability.DURABLE, Guarantee.Atomicity.ADVICE);
    assertRefused(
        charter,
        REQUEST.sealing(new Seal("ledger", Optional.empty(), Optional.of(advice), fence::seal)),
        "'ledger' checks by HIGH_WATER_MARK, its fence that it only advises: write ADVICE into");

    lease(with(charter).tryAcquire(REQUEST.sealing(Seal.of(fence))));
  }

  @Test
  void aBlockBringsACharterAndTheUsersOwnGoesBefore() throws Exception {
    Leases leases = with(CHARTER);
    LeaseCharter ofTheBlock = LeaseCharter.of("cron", Payload.EXCLUSION, "whatever");
    LeaseCharter leaders = LeaseCharter.of("leader", Payload.COORDINATION, "one service");

    assertThat(leases.attach(ofTheBlock)).isEqualTo(CHARTER);
    assertThat(leases.attach(leaders)).isEqualTo(leaders);
    assertThat(leases.attach(leaders)).isEqualTo(leaders);
    assertThat(leases.charters()).containsExactly(CHARTER, leaders);
    lease(leases.tryAcquire(LeaseRequest.of("leader/billing")));
    assertThat(fixture.grantOf("leader/billing").orElseThrow().terms().ttlMillis())
        .isEqualTo(30_000);
  }

  @Test
  void aKindHasOneCharter() {
    LeasesBuilder builder = fixture.builder("anna").charter(CHARTER);

    assertThatThrownBy(() -> builder.charter(CHARTER.ttl(Duration.ofSeconds(25))))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("kind 'cron' has two charters: write one that says all of it");
  }

  @Test
  void aCharterThatTheStoreCannotKeepIsRefusedAtOnce() {
    assertThatThrownBy(() -> with(CHARTER.grace(Duration.ofSeconds(19))))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("too short");
    Leases leases = fixture.process("ben");
    assertThatThrownBy(() -> leases.attach(CHARTER.ttl(Duration.ofDays(3))))
        .isInstanceOf(IllFormedException.class);
    assertThat(leases.charters()).isEmpty();
  }
}
