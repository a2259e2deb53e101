package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.testkit.suite.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept for people, how much of it, and that it may be written twice. */
abstract class LedgerContract extends LeaseGroup {
  private static final LeaseCharter CHARTER =
      LeaseCharter.of("shard", Payload.SHARD, "eine Scherbe der Aufträge \uD83D\uDD11, 'quoted' \\")
          .ttl(Duration.ofSeconds(20))
          .grace(Duration.ofMillis(1_500))
          .stallAfter(Duration.ofMinutes(2))
          .handoff(Handoff.OVERLAP)
          .target(new Target("table of orders", Check.AT_EFFECT, Unsealed.BLOCKS))
          .target(new Target("mails", Check.NONE, Unsealed.IS_A_HOLE));
  private static final LeaseKey SHARD = new LeaseKey("shard/7");
  private static final LeaseKey OTHER_SHARD = new LeaseKey("shard/8");
  private static final Token TOKEN = Token.of(40, 7);
  private static final Optional<String> SEALED = Optional.empty();
  private static final Optional<String> UNPLUGGED = Optional.of("unplugged");

  private void write(LedgerEntry... entries) {
    Await.answer(fixture.store().ledger().write(List.of(entries)));
  }

  private LedgerReading read() {
    return Await.answer(fixture.store().ledger().read());
  }

  private static LedgerEntry.Sealing sealing(LeaseKey key, Token token, Optional<String> failure) {
    return new LedgerEntry.Sealing(key, token, "ann", "mark", failure);
  }

  private static LedgerEntry.Refused refused(String id, Admission.Refused answer) {
    return new LedgerEntry.Refused(
        new RequestId(id), "mark", new Claim(SHARD, TOKEN, "Ännchen"), answer, false);
  }

  private static Admission.Stale stale(int counter) {
    return new Admission.Stale(Token.of(41, counter));
  }

  @Test
  void an_empty_ledger_shows_the_stores_time() {
    LedgerReading reading = read();
    assertThat(reading.atMillis()).isEqualTo(START);
    assertThat(reading.charters()).isEmpty();
    assertThat(reading.seals()).isEmpty();
    assertThat(reading.refusals()).isEmpty();
    write();
  }

  @Test
  void a_charter_is_kept_to_the_letter_with_who_published_it_and_when() {
    LeaseCharter plain = LeaseCharter.of("lock", Payload.EXCLUSION, "x");
    write(new LedgerEntry.Chartered(CHARTER, "ann"), new LedgerEntry.Chartered(plain, "ann"));
    fixture.pass(Duration.ofMinutes(5));
    write(new LedgerEntry.Chartered(CHARTER, "ben"));
    assertThat(read().charters())
        .containsExactly(
            new LedgerReading.Charter(plain, "ann", START, START),
            new LedgerReading.Charter(CHARTER, "ben", START, fixture.now()));
  }

  @Test
  void a_differing_charter_of_the_kind_stands_before_the_other() {
    LeaseCharter other = CHARTER.ttl(Duration.ofSeconds(30));
    write(new LedgerEntry.Chartered(CHARTER, "ann"));
    fixture.pass(A_MOMENT);
    write(new LedgerEntry.Chartered(other, "ben"));
    assertThat(read().charters())
        .extracting(LedgerReading.Charter::charter)
        .containsExactly(other, CHARTER);
  }

  @Test
  void the_last_few_charters_of_a_kind_are_kept() {
    for (int i = 1; i <= Ledger.CHARTERS_KEPT + 5; i++) {
      write(new LedgerEntry.Chartered(CHARTER.ttl(Duration.ofSeconds(i)), "ann"));
      fixture.pass(A_MOMENT);
    }
    List<LedgerReading.Charter> kept = read().charters();
    assertThat(kept).hasSize(Ledger.CHARTERS_KEPT);
    assertThat(kept.getFirst().charter().ttl())
        .isEqualTo(Duration.ofSeconds(Ledger.CHARTERS_KEPT + 5));
  }

  @Test
  void the_last_seal_of_a_target_is_kept() {
    write(sealing(SHARD, TOKEN, SEALED));
    fixture.pass(A_MOMENT);
    LedgerEntry.Sealing last = sealing(OTHER_SHARD, TOKEN.next(1), SEALED);
    write(last);
    assertThat(read().seals()).containsExactly(new LedgerReading.Seal(last, fixture.now()));
  }

  @Test
  void a_failure_stands_until_the_same_key_is_sealed_with_a_token_not_lower() {
    LedgerEntry.Sealing failure = sealing(SHARD, TOKEN, UNPLUGGED);
    write(sealing(SHARD, TOKEN, SEALED), failure);
    assertThat(read().seals())
        .extracting(seal -> seal.what().failure())
        .containsExactly(SEALED, UNPLUGGED);
    write(sealing(OTHER_SHARD, TOKEN, SEALED));
    write(sealing(SHARD, Token.of(40, 6), SEALED));
    assertThat(read().seals()).extracting(LedgerReading.Seal::what).contains(failure);
    write(sealing(SHARD, TOKEN.next(40), SEALED));
    assertThat(read().seals())
        .extracting(seal -> seal.what().key(), seal -> seal.what().failure())
        .containsExactly(tuple(SHARD, SEALED));
  }

  @Test
  void the_failure_of_one_key_is_not_that_of_another() {
    LedgerEntry.Sealing one = sealing(SHARD, TOKEN, UNPLUGGED);
    LedgerEntry.Sealing other = sealing(OTHER_SHARD, TOKEN.next(1), UNPLUGGED);
    write(other, one);
    assertThat(read().seals()).extracting(LedgerReading.Seal::what).containsExactly(one, other);
    LedgerEntry.Sealing made = sealing(OTHER_SHARD, TOKEN.next(1), SEALED);
    write(made);
    assertThat(read().seals()).extracting(LedgerReading.Seal::what).containsExactly(made, one);
  }

  @Test
  void what_is_written_late_does_not_replace_a_higher_token_of_its_key() {
    LedgerEntry.Sealing sealed = sealing(SHARD, TOKEN, SEALED);
    LedgerEntry.Sealing failure = sealing(SHARD, TOKEN.next(1), UNPLUGGED);
    Token earlier = Token.of(40, 6);
    write(sealed, failure, sealing(SHARD, earlier, SEALED), sealing(SHARD, earlier, UNPLUGGED));
    assertThat(read().seals())
        .extracting(LedgerReading.Seal::what)
        .containsExactly(sealed, failure);
  }

  @Test
  void failures_of_the_last_hundred_keys_are_kept() {
    write(sealing(SHARD, TOKEN, UNPLUGGED));
    fixture.pass(A_MOMENT);
    List<LedgerEntry> many = new ArrayList<>();
    for (int i = 0; i < Ledger.FAILED_SEALS_KEPT; i++) {
      many.add(sealing(new LeaseKey("shard/many-" + i), TOKEN, UNPLUGGED));
    }
    write(many.toArray(LedgerEntry[]::new));
    assertThat(read().seals())
        .hasSize(Ledger.FAILED_SEALS_KEPT)
        .extracting(seal -> seal.what().key())
        .doesNotContain(SHARD);
  }

  @Test
  void targets_and_kinds_are_told_apart() {
    LedgerEntry.Sealing one = sealing(SHARD, TOKEN, SEALED);
    LedgerEntry.Sealing otherTarget =
        new LedgerEntry.Sealing(SHARD, TOKEN, "ann", "file", UNPLUGGED);
    LedgerEntry.Sealing otherKind = sealing(KEY, TOKEN, SEALED);
    write(one, otherTarget, otherKind);
    assertThat(read().seals())
        .extracting(LedgerReading.Seal::what)
        .containsExactly(otherKind, otherTarget, one);
  }

  @Test
  void refusals_are_kept_newest_first_and_known_again() {
    LedgerEntry.Refused first = refused("r1", stale(9));
    LedgerEntry.Refused second = refused("r2", new Admission.Unissued(Optional.empty()));
    LedgerEntry.Refused third =
        refused("r3", new Admission.Unissued(Optional.of(TOKEN))).suspectingRollback();
    write(first);
    fixture.pass(A_MOMENT);
    write(second);
    fixture.pass(A_MOMENT);
    write(third, first);
    assertThat(read().refusals())
        .containsExactly(
            new LedgerReading.Refusal(third, START + 2),
            new LedgerReading.Refusal(second, START + 1),
            new LedgerReading.Refusal(first, START));
  }

  @Test
  void the_last_thousand_refusals_are_kept_and_do_not_crowd_out_suspicions() {
    LedgerEntry.Refused suspicion = refused("suspect", stale(1)).suspectingRollback();
    write(suspicion);
    fixture.pass(A_MOMENT);
    write(refused("first", stale(1)));
    fixture.pass(A_MOMENT);
    List<LedgerEntry> many = new ArrayList<>();
    for (int i = 0; i < Ledger.REFUSALS_KEPT; i++) {
      many.add(refused("many-" + i, stale(2)));
    }
    write(many.toArray(LedgerEntry[]::new));
    List<LedgerReading.Refusal> kept = read().refusals();
    assertThat(kept).hasSize(Ledger.REFUSALS_KEPT + 1);
    assertThat(kept.getLast().what()).isEqualTo(suspicion);
    assertThat(kept).extracting(refusal -> refusal.what().id().text()).doesNotContain("first");
  }

  @Test
  void leases_know_nothing_of_it() {
    write(new LedgerEntry.Chartered(CHARTER, "ann"), sealing(KEY, Token.of(8_000, 1), UNPLUGGED));
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    assertThat(token.isAbove(Token.of(8_000, 1))).isFalse();
    assertThat(read().seals()).hasSize(1);
  }

  @Test
  void another_process_sees_what_was_written() {
    write(new LedgerEntry.Chartered(CHARTER, "ann"));
    assertThat(Await.answer(fixture.another().ledger().read())).isEqualTo(read());
  }
}
