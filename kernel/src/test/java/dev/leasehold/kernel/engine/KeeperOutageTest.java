package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * I12 with many leases: a store that comes back gets no storm of calls, and all leases are kept.
 */
class KeeperOutageTest {
  private static final int MANY = 100_000;
  private static final Duration TTL = Duration.ofSeconds(60);
  private static final Duration OUTAGE = Duration.ofSeconds(30);

  private final ManualEnvironment manual = new ManualEnvironment();
  private final List<LossReason> losses = new ArrayList<>();
  private final Set<LeaseKey> renewed = new HashSet<>();
  private BiConsumer<List<Command>, Wire.Reply<Outcome>> store = this::renew;
  private int calls;

  private final Holdings holdings =
      new Holdings(
          new Holdings.Wires(this::grant, this::count, key -> () -> {}),
          new Environment(
              manual.environment.ticker(),
              manual.environment.scheduler(),
              manual.environment.turns(),
              new SplittableRandom(7)));

  private void grant(List<Command> batch, Wire.Reply<Outcome> reply) {
    List<Outcome> granted = new ArrayList<>();
    batch.forEach(c -> granted.add(ScriptedWire.granted(c, token(1), TTL.toMillis())));
    manual.event(() -> reply.answered(granted));
  }

  private void count(List<Command> batch, Wire.Reply<Outcome> reply) {
    calls++;
    store.accept(batch, reply);
  }

  private void renew(List<Command> batch, Wire.Reply<Outcome> reply) {
    List<Outcome> outcomes = new ArrayList<>();
    batch.forEach(
        command -> {
          renewed.add(command.key());
          outcomes.add(new Outcome.Renewed(TTL.toMillis()));
        });
    manual.event(() -> reply.answered(outcomes));
  }

  private void refuse(List<Command> batch, Wire.Reply<Outcome> reply) {
    manual.event(() -> reply.failed("connection refused"));
  }

  private void refuseEach(List<Command> batch, Wire.Reply<Outcome> reply) {
    List<Outcome> outcomes = new ArrayList<>();
    batch.forEach(command -> outcomes.add(new Outcome.Failed(Certainty.NOT_APPLIED, "overload")));
    manual.event(() -> reply.answered(outcomes));
  }

  private void hold(int count) {
    HeldLease.Listener listener =
        new HeldLease.Listener() {
          @Override
          public void ending() {}

          @Override
          public void lost(LossReason reason) {
            losses.add(reason);
          }
        };
    for (int i = 0; i < count; i++) {
      LeaseKey key = LeaseKey.of("lock", "k" + i);
      AcquireRequest wanted = wanted(key, TTL, Duration.ofSeconds(3));
      manual.event(() -> holdings.tryAcquire(wanted, verdict -> {}, listener));
    }
    assertThat(holdings.heldCount()).isEqualTo(count);
  }

  /** An outage that begins shortly before the first renewal and ends before the trust does. */
  private void sitOut(BiConsumer<List<Command>, Wire.Reply<Outcome>> outage) {
    hold(MANY);
    manual.advanceMillis(15_000);
    store = outage;
    manual.advance(OUTAGE);
    assertThat(calls).as("calls during the outage").isBetween(300, 2_000);
    calls = 0;
    store = this::renew;
    manual.advanceMillis(8_900);
    assertThat(losses).isEmpty();
    assertThat(renewed).hasSize(MANY);
    assertThat(calls).as("calls until all were renewed").isLessThan(2_500);
  }

  /**
   * Once the outage is over, the lease that hangs must be told from those that only failed in it.
   */
  @Test
  void aHungLeaseIsFoundAfterAnOutageAndTakesNoOtherWithIt() {
    hold(900);
    LeaseKey hung = LeaseKey.of("lock", "k777");
    manual.advanceMillis(15_000);
    store = this::refuse;
    manual.advance(Duration.ofSeconds(15));
    store =
        (batch, reply) ->
            renewUnless(batch.stream().anyMatch(c -> hung.equals(c.key())), batch, reply);
    manual.advanceMillis(23_900);

    assertThat(renewed).hasSize(899).doesNotContain(hung);
    assertThat(losses).isEmpty();
    manual.advanceMillis(200);
    assertThat(losses).containsExactly(new LossReason.Unreachable());
  }

  private void renewUnless(boolean hangs, List<Command> batch, Wire.Reply<Outcome> reply) {
    if (!hangs) {
      renew(batch, reply);
    }
  }

  @Test
  void aStoreThatRefusesIsAskedSeldom() {
    sitOut(this::refuse);
  }

  @Test
  void aStoreThatHangsIsAskedSeldom() {
    sitOut((batch, reply) -> {});
  }

  @Test
  void aStoreThatRefusesEachCommandIsAskedSeldom() {
    sitOut(this::refuseEach);
  }

  /** A call for each of them would be such a storm again. */
  @Test
  void manyThatFailWhileOthersAreAnsweredAreNotAllAskedForAlone() {
    hold(MANY);
    manual.advanceMillis(15_000);
    store =
        (batch, reply) -> renewUnless(batch.stream().anyMatch(c -> isSick(c.key())), batch, reply);
    manual.advance(Duration.ofSeconds(38));
    assertThat(calls).as("calls in 38 s").isLessThan(20_000);
    assertThat(losses).isEmpty();
  }

  private static boolean isSick(LeaseKey key) {
    return key.hashCode() % 16 == 0;
  }
}
