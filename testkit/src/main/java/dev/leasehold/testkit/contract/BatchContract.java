package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.OTHER_KEY;
import static dev.leasehold.testkit.contract.ContractCallers.abandon;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch is a bundle and not a transaction, and on one key its order is the order given. */
abstract class BatchContract extends LeaseGroup {
  private static final int BIG = 1_000;
  private static final int ON_ONE_KEY = 100;

  @Test
  void an_empty_batch_is_answered_with_nothing() {
    assertThat(fixture.applyAll(List.of())).isEmpty();
  }

  @Test
  void commands_on_one_key_take_effect_in_the_order_given() {
    Token first = fixture.granted(acquire(ANN, "r0")).token();
    Token second = first.next(first.incarnation());
    List<Outcome> outcomes =
        fixture.applyAll(
            List.of(
                renew(ANN, first),
                acquire(BOB, "r1"),
                release(ANN, first, "e1"),
                acquire(BOB, "r1"),
                renew(BOB, second),
                renew(ANN, first),
                release(BOB, second, "e2")));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Renewed.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Held.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Released.class);
    assertThat(outcomes.get(3))
        .isInstanceOfSatisfying(
            Outcome.Granted.class, g -> assertThat(g.grant().token()).isEqualTo(second));
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Renewed.class);
    assertThat(outcomes.get(5)).isEqualTo(new Outcome.Lost(new LossReason.Released()));
    assertThat(outcomes.get(6)).isInstanceOf(Outcome.Released.class);
    assertThat(fixture.record(KEY).currentGrant()).isEmpty();
  }

  @Test
  void of_several_acquires_of_one_key_the_first_wins() {
    List<Outcome> outcomes = fixture.applyAll(List.of(acquire(BOB, "r1"), acquire(ANN, "r2")));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Held.class);
    assertThat(fixture.latestGrant(KEY).instanceId()).isEqualTo(BOB.id());
  }

  @Test
  void a_request_that_is_twice_in_a_batch_is_granted_once() {
    List<Outcome> outcomes = fixture.applyAll(List.of(acquire(ANN, "r1"), acquire(ANN, "r1")));
    assertThat(outcomes.get(1)).isEqualTo(outcomes.get(0));
  }

  @Test
  void an_abandon_overtakes_its_acquire_within_a_batch() {
    List<Outcome> outcomes = fixture.applyAll(List.of(abandon(ANN, "r1"), acquire(ANN, "r1")));
    assertThat(outcomes).containsOnly(new Outcome.Abandoned());
    assertThat(fixture.record(KEY).grant()).isEmpty();
  }

  @Test
  void interleaved_keys_are_answered_each_at_its_place() {
    List<Outcome> outcomes =
        fixture.applyAll(
            List.of(
                acquire(KEY, ANN, "r1"),
                acquire(OTHER_KEY, BOB, "r2"),
                revoke(Command.Reopening.NOW, "v1"),
                acquire(OTHER_KEY, ANN, "r3"),
                acquire(KEY, ANN, "r4")));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Revoked.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Held.class);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Closed.class);
  }

  @Test
  void a_thousand_keys_are_acquired_renewed_and_released_in_three_batches() {
    List<LeaseKey> keys = IntStream.range(0, BIG).mapToObj(i -> new LeaseKey("big/" + i)).toList();
    List<Outcome> granted =
        Await.answer(
            fixture
                .store()
                .apply(keys.stream().<Command>map(key -> acquire(key, ANN, "r1")).toList()));
    List<Command> renewals = new ArrayList<>();
    List<Command> releases = new ArrayList<>();
    for (int i = 0; i < BIG; i++) {
      assertThat(granted.get(i)).isInstanceOf(Outcome.Granted.class);
      Token token = ((Outcome.Granted) granted.get(i)).grant().token();
      renewals.add(Command.Renew.of(keys.get(i), token, ANN));
      releases.add(new Command.Release(keys.get(i), token, ANN, ContractCallers.request("e1")));
    }
    fixture.pass(A_MOMENT);
    assertThat(Await.answer(fixture.store().apply(renewals)))
        .hasSize(BIG)
        .containsOnly(new Outcome.Renewed(ContractCallers.TTL.toMillis()));
    assertThat(Await.answer(fixture.store().apply(releases)))
        .hasSize(BIG)
        .containsOnly(new Outcome.Released());
    assertThat(fixture.listAll("big/", 400))
        .hasSize(BIG)
        .allSatisfy(reading -> assertThat(reading.record().currentGrant()).isEmpty());
  }

  /** A hundred at a time, since each needs the answer to the one before, and a caller waits 5 s. */
  @Test
  void a_thousand_commands_on_one_key_take_effect_one_after_the_other() {
    Token token = fixture.granted(acquire(ANN, "r0")).token();
    for (int sent = 0; sent < BIG; sent += ON_ONE_KEY) {
      List<Command> batch = new ArrayList<>();
      for (int i = sent; i < sent + ON_ONE_KEY; i += 2) {
        batch.add(release(ANN, token, "e" + i));
        batch.add(acquire(ANN, "r" + (i + 1)));
        token = token.next(token.incarnation());
      }
      List<Outcome> outcomes = fixture.applyAll(batch);
      for (int i = 0; i < ON_ONE_KEY; i += 2) {
        assertThat(outcomes.get(i)).isInstanceOf(Outcome.Released.class);
        assertThat(outcomes.get(i + 1)).isInstanceOf(Outcome.Granted.class);
      }
      assertThat(fixture.latestGrant(KEY).token()).isEqualTo(token);
    }
  }
}
