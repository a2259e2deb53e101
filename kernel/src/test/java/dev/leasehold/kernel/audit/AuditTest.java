package dev.leasehold.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.kernel.spi.TableFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
  private static final long NOW = 1_900_000_000_000L;
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final LeaseKey KEY = new LeaseKey("orders/7");

  /** A charter with every safety property. */
  private static final LeaseCharter WHOLE =
      LeaseCharter.of("orders", Payload.SHARD, "one shard of the orders")
          .stallAfter(Duration.ofMinutes(1))
          .target(new Target("order table", Check.AT_EFFECT, Unsealed.BLOCKS))
          .target(new Target("mark", Check.HIGH_WATER_MARK, Unsealed.BLOCKS));

  private final List<LedgerReading.Charter> charters = new ArrayList<>();
  private final List<LedgerReading.Seal> seals = new ArrayList<>();
  private final List<LedgerReading.Refusal> refusals = new ArrayList<>();
  private final List<TableFacts.TokenColumn> unguarded = new ArrayList<>();
  private final List<String> guarded = new ArrayList<>();
  private final List<TableFacts.GuardGap> gaps = new ArrayList<>();
  private final List<SuspectedRollbacks.Case> suspicions = new ArrayList<>();
  private final Set<String> kinds = new TreeSet<>(Set.of("orders"));

  private AuditReport audit() {
    LedgerReading ledger =
        new LedgerReading(NOW, charters, seals, refusals, new TableFacts(unguarded, guarded, gaps));
    return Audit.of(
        new AuditFacts(ledger, kinds, new SuspectedRollbacks(suspicions.size(), suspicions)));
  }

  private void published(LeaseCharter charter, String holder, long first, long last) {
    charters.add(new LedgerReading.Charter(charter, holder, first, last));
  }

  private void published(LeaseCharter charter) {
    published(charter, "ann", NOW - 5, NOW - 5);
  }

  private void sealed(String target, Optional<String> failure) {
    sealed(KEY, target, failure);
  }

  private void sealed(LeaseKey key, String target, Optional<String> failure) {
    seals.add(
        new LedgerReading.Seal(
            new LedgerEntry.Sealing(key, Token.of(3, 4), "ann", target, failure), NOW - 5));
  }

  private LedgerReading.Refusal refused(boolean suspectsRollback, long atMillis) {
    LedgerReading.Refusal refusal =
        new LedgerReading.Refusal(
            new LedgerEntry.Refused(
                RequestId.random(),
                "mark",
                new Claim(KEY, Token.of(3, 4), "ann"),
                new Admission.Stale(Token.of(3, 9)),
                suspectsRollback),
            atMillis);
    refusals.add(refusal);
    return refusal;
  }

  private void assertOnly(Rule rule, Severity severity, String about) {
    assertThat(audit().findings())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.rule()).isEqualTo(rule);
              assertThat(found.severity()).isEqualTo(severity);
              assertThat(found.about()).isEqualTo(about);
              assertThat(found.what()).isNotBlank();
              assertThat(found.remedy()).isNotBlank();
            });
  }

  @Test
  void aStoreWithNothingInItHasNoHoles() {
    kinds.clear();
    assertThat(audit().findings()).isEmpty();
  }

  @Test
  void aCharterThatIsKeptHasNoHoles() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    AuditReport report = audit();
    assertThat(report.findings()).isEmpty();
    assertThat(report.charters()).isEqualTo(charters);
    assertThat(report.targets()).hasSize(2);
    assertThat(report.targets().getLast().sealed()).contains(seals.getFirst());
  }

  @Test
  void aTargetThatDoesNotCheckIsAHole() {
    published(WHOLE.target(new Target("mails", Check.NONE, Unsealed.IS_A_HOLE)));
    sealed("mark", Optional.empty());
    assertOnly(Rule.UNCHECKED_TARGET, Severity.HOLE, "mails of orders");
  }

  @Test
  void aTargetThatOnlyAdvisesIsAHole() {
    published(WHOLE.target(new Target("cache", Check.ADVICE, Unsealed.IS_A_HOLE)));
    sealed("mark", Optional.empty());
    assertOnly(Rule.ADVISED_TARGET, Severity.HOLE, "cache of orders");
  }

  @ParameterizedTest
  @EnumSource(
      value = Check.class,
      names = {"HIGH_WATER_MARK", "GENERATION"})
  void aMarkThatNoHolderHasEverSealedIsAHoleOnceTheKindIsUsed(Check check) {
    published(WHOLE.target(new Target("other", check, Unsealed.BLOCKS)));
    sealed("mark", Optional.empty());
    assertOnly(Rule.NEVER_SEALED, Severity.HOLE, "other of orders");
    kinds.clear();
    assertOnly(Rule.NEVER_SEALED, Severity.NOTE, "other of orders");
  }

  @Test
  void theSealOfAnotherKindDoesNotCount() {
    published(WHOLE);
    seals.add(
        new LedgerReading.Seal(
            new LedgerEntry.Sealing(
                new LeaseKey("bills/7"), Token.of(3, 4), "ann", "mark", Optional.empty()),
            NOW));
    assertOnly(Rule.NEVER_SEALED, Severity.HOLE, "mark of orders");
  }

  @Test
  void aTargetThatWasLeftUnsealedIsAHoleAndOneThatBlockedANote() {
    published(WHOLE.target(new Target("other", Check.HIGH_WATER_MARK, Unsealed.IS_A_HOLE)));
    sealed("mark", Optional.empty());
    sealed("other", Optional.empty());
    sealed("other", Optional.of("unplugged"));
    assertOnly(Rule.UNSEALED, Severity.HOLE, "other of orders");
    assertThat(audit().holes().getFirst().what()).contains("unplugged", "ann", "orders/7");

    seals.removeLast();
    sealed("mark", Optional.of("unplugged"));
    assertOnly(Rule.UNSEALED, Severity.NOTE, "mark of orders");
  }

  @Test
  void everyKeyThatCouldNotBeSealedIsNamedUntilThereAreMany() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    for (int i = 1; i <= 5; i++) {
      sealed(new LeaseKey("orders/x" + i), "mark", Optional.of("unplugged"));
    }
    assertThat(audit().notes())
        .extracting(note -> note.what().replaceAll(".*(x[0-9]).*", "$1"))
        .containsExactly("x1", "x2", "x3", "x4", "x5");
    sealed(new LeaseKey("orders/x6"), "mark", Optional.of("unplugged"));
    sealed(new LeaseKey("orders/x7"), "mark", Optional.of("unplugged"));
    assertThat(audit().notes()).hasSize(6);
    assertThat(audit().notes().getLast().what()).contains("2 other keys");
    assertThat(audit().targets().getLast().failed()).hasSize(7);
  }

  @Test
  void aGuardThatACharterReliesOnAndThatIsNotThereIsAHole() {
    published(WHOLE.target(new Target("invoices", Check.GUARDED_TABLE, Unsealed.BLOCKS)));
    sealed("mark", Optional.empty());
    guarded.add("payments");
    assertOnly(Rule.MISSING_GUARD, Severity.HOLE, "invoices of orders");
    assertThat(audit().holes().getFirst().remedy()).contains("fence install --table invoices");
  }

  @ParameterizedTest
  @ValueSource(strings = {"invoices", "public.invoices"})
  void aGuardThatIsThereIsFoundWithOrWithoutItsSchema(String name) {
    published(WHOLE.target(new Target("invoices", Check.GUARDED_TABLE, Unsealed.BLOCKS)));
    sealed("mark", Optional.empty());
    guarded.add(name);
    assertThat(audit().findings()).isEmpty();
  }

  @Test
  void aKindWithoutAStallLimitIsAHole() {
    published(
        LeaseCharter.of("orders", Payload.SHARD, "x")
            .target(new Target("order table", Check.AT_EFFECT, Unsealed.BLOCKS)));
    assertOnly(Rule.NO_STALL_LIMIT, Severity.HOLE, "orders");
  }

  @Test
  void aCharterWithoutTargetsIsANote() {
    published(LeaseCharter.of("orders", Payload.SHARD, "x").stallAfter(Duration.ofMinutes(1)));
    assertOnly(Rule.NO_TARGETS, Severity.NOTE, "orders");
  }

  @Test
  void leasesWithoutACharterAreAHole() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    kinds.add("lock");
    assertOnly(Rule.NO_CHARTER, Severity.HOLE, "lock");
  }

  @Test
  void chartersThatAreGoneByAtOnceAreAHoleForADay() {
    sealed("mark", Optional.empty());
    published(WHOLE, "ben", NOW - 2 * DAY, NOW - DAY);
    published(WHOLE.ttl(Duration.ofSeconds(60)), "ann", NOW - DAY, NOW - 9);
    assertOnly(Rule.CONTRADICTING_CHARTERS, Severity.HOLE, "orders");
    assertThat(audit().holes().getFirst().what()).contains("ann", "ben");
    assertThat(audit().charters()).extracting(LedgerReading.Charter::holder).containsExactly("ann");

    charters.removeFirst();
    published(WHOLE, "ben", NOW - 2 * DAY, NOW - DAY - 1);
    assertThat(audit().findings()).isEmpty();
  }

  @Test
  void aCharterThatHasTakenThePlaceOfAnotherIsANote() {
    sealed("mark", Optional.empty());
    published(WHOLE, "ben", NOW - 2 * DAY, NOW - 10);
    published(WHOLE.ttl(Duration.ofSeconds(60)), "ann", NOW - 9, NOW - 8);
    assertOnly(Rule.REPLACED_CHARTER, Severity.NOTE, "orders");
  }

  @Test
  void aCharterThatNoProcessHasUsedForAMonthIsHistoryUnlessThereAreLeases() {
    long longAgo = NOW - 31 * DAY;
    published(LeaseCharter.of("orders", Payload.SHARD, "x"), "ann", longAgo, longAgo);
    assertThat(audit().holes()).extracting(Finding::rule).containsExactly(Rule.NO_STALL_LIMIT);
    kinds.clear();
    assertThat(audit().findings()).isEmpty();
    assertThat(audit().charters()).isEmpty();
  }

  @Test
  void aTableWithATokenColumnAndNoGuardIsAHole() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    unguarded.add(new TableFacts.TokenColumn("public.invoices", "fencing_token"));
    assertOnly(Rule.UNGUARDED_TABLE, Severity.HOLE, "public.invoices");
    assertThat(audit().holes().getFirst().what()).contains("fencing_token");
  }

  @Test
  void aTableThatACharterNamesWithItsFenceIsANote() {
    published(WHOLE.target(new Target("invoices", Check.AT_EFFECT, Unsealed.BLOCKS)));
    sealed("mark", Optional.empty());
    unguarded.add(new TableFacts.TokenColumn("public.invoices", "fencing_token"));
    assertOnly(Rule.UNGUARDED_TABLE, Severity.NOTE, "public.invoices");
  }

  @Test
  void aTableThatACharterNamesWithoutAFenceIsAHoleAllTheSame() {
    published(WHOLE.target(new Target("invoices", Check.ADVICE, Unsealed.IS_A_HOLE)));
    sealed("mark", Optional.empty());
    unguarded.add(new TableFacts.TokenColumn("public.invoices", "fencing_token"));
    assertThat(audit().holes())
        .extracting(Finding::rule)
        .containsExactly(Rule.ADVISED_TARGET, Rule.UNGUARDED_TABLE);
  }

  @Test
  void aGuardThatIsOpenIsAHoleAndOneThatMayBeOpenedANote() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    gaps.add(new TableFacts.GuardGap("public.invoices", "its trigger is disabled", true));
    assertOnly(Rule.GUARD_NOT_WHOLE, Severity.HOLE, "public.invoices");
    gaps.clear();
    gaps.add(new TableFacts.GuardGap("public.invoices", "a superuser may disable it", false));
    assertOnly(Rule.GUARD_NOT_WHOLE, Severity.NOTE, "public.invoices");
  }

  @Test
  void refusalsOfTheLastDayAreShownAndAreNoHole() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    LedgerReading.Refusal kept = refused(false, NOW - DAY);
    refused(false, NOW - DAY - 1);
    assertThat(audit().refusals()).containsExactly(kept);
    assertThat(audit().findings()).isEmpty();
  }

  @Test
  void aRefusalForANumberThatTheStoreHasNotIssuedIsASuspectedRollbackForADay() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    refused(true, NOW - DAY);
    assertOnly(Rule.SUSPECTED_ROLLBACK, Severity.HOLE, "orders/7");
    assertThat(audit().holes().getFirst().remedy()).contains("incarnation advance");
    refusals.clear();
    refused(true, NOW - DAY - 1);
    assertThat(audit().findings()).isEmpty();
  }

  @Test
  void aTokenThatTheStoreNeverIssuedIsASuspectedRollback() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    SuspectedRollbacks.Case suspicion =
        new SuspectedRollbacks.Case(KEY, Token.of(3, 9), Token.of(3, 4), NOW - DAY);
    suspicions.add(suspicion);
    suspicions.add(new SuspectedRollbacks.Case(KEY, Token.of(3, 9), Token.of(3, 4), NOW - DAY - 1));
    assertOnly(Rule.SUSPECTED_ROLLBACK, Severity.HOLE, "orders/7");
  }

  @Test
  void whatIsInTheLedgerAlreadyIsNotNamedTwice() {
    published(WHOLE);
    sealed("mark", Optional.empty());
    refused(true, NOW);
    suspicions.add(new SuspectedRollbacks.Case(KEY, Token.of(3, 4), Token.of(3, 1), NOW));
    assertOnly(Rule.SUSPECTED_ROLLBACK, Severity.HOLE, "orders/7");
    suspicions.add(new SuspectedRollbacks.Case(KEY, Token.of(3, 5), Token.of(3, 1), NOW));
    assertThat(audit().holes()).hasSize(2);
  }
}
