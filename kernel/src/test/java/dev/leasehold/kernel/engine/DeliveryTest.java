package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.batches.Gatherer;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Commands that must reach the store are sent until it gives a definite outcome, but not for ever.
 */
class DeliveryTest {
  private static final Command RELEASE =
      new Command.Release(KEY, token(1), Actor.ANNA.instance(), new RequestId("r"));

  private final ManualEnvironment manual = new ManualEnvironment();
  private final ScriptedWire wire = new ScriptedWire(manual);
  private final Delivery delivery =
      new Delivery(
          new Gatherer<>(
              Command.KIND,
              GatheringLimits.ofLeases(Duration.ofSeconds(5)),
              wire,
              manual.environment),
          manual.environment);
  private final List<Outcome> told = new ArrayList<>();

  private void deliver(Duration within) {
    manual.event(
        () -> delivery.deliver(RELEASE, within.toNanos(), answer -> told.add(answer.outcome())));
  }

  @Test
  void aDefiniteAnswerEndsIt() {
    deliver(Duration.ofSeconds(30));
    wire.next().answer(new Outcome.Lost(new LossReason.Expired()));

    assertThat(told).containsExactly(new Outcome.Lost(new LossReason.Expired()));
    assertThat(delivery.isIdle()).isTrue();
  }

  @Test
  void theSameCommandIsSentAgainAfterABackoff() {
    manual.jitter.alwaysMost();
    deliver(Duration.ofSeconds(30));
    wire.next().fail();
    manual.advanceMillis(99);
    assertThat(wire.isQuiet()).isTrue();
    manual.advanceMillis(1);
    assertThat(wire.last().only()).isEqualTo(RELEASE);
    wire.last().answer(new Outcome.Failed(Certainty.NOT_APPLIED, "busy"));
    manual.advanceMillis(200);

    wire.next().answer(new Outcome.Released());
    assertThat(told).containsExactly(new Outcome.Released());
  }

  @Test
  void whenTheTimeIsUpTheLastIndefiniteAnswerIsTold() {
    manual.jitter.alwaysMost();
    deliver(Duration.ofSeconds(1));
    while (told.isEmpty()) {
      wire.next().fail();
      manual.advanceMillis(1_000);
    }

    assertThat(told).containsExactly(new Outcome.Failed(Certainty.UNKNOWN, "connection refused"));
    assertThat(manual.elapsedMillis()).isLessThanOrEqualTo(4_000);
    assertThat(delivery.isIdle()).isTrue();
  }

  @Test
  void nothingIsRepeatedAfterFiveMinutesNotEvenAfterAPause() {
    deliver(Duration.ofHours(1));
    wire.next().fail();
    manual.pause(Duration.ofMinutes(20));
    manual.advanceMillis(1);

    assertThat(wire.isQuiet()).isTrue();
    assertThat(told).containsExactly(new Outcome.Failed(Certainty.UNKNOWN, "connection refused"));
    assertThat(delivery.isIdle()).isTrue();
  }

  /** Giving leases back after an outage must not be a storm of single calls. */
  @Test
  void whatFailsTogetherIsSentAgainTogether() {
    List<Integer> calls = new ArrayList<>();
    Wire<Command, Outcome> down =
        (batch, reply) -> {
          calls.add(batch.size());
          manual.event(() -> reply.failed("connection refused"));
        };
    Environment jittery =
        new Environment(
            manual.environment.ticker(),
            manual.environment.scheduler(),
            manual.environment.turns(),
            new SplittableRandom(7));
    Delivery many =
        new Delivery(
            new Gatherer<>(
                Command.KIND, GatheringLimits.ofLeases(Duration.ofSeconds(5)), down, jittery),
            jittery);
    for (int i = 0; i < 10_000; i++) {
      LeaseKey key = LeaseKey.of("lock", "k" + i);
      Command release =
          new Command.Release(key, token(1), Actor.ANNA.instance(), new RequestId("r" + i));
      manual.event(() -> many.deliver(release, Duration.ofSeconds(30).toNanos(), answer -> {}));
    }
    calls.clear();
    manual.advance(Duration.ofSeconds(31));

    assertThat(many.isIdle()).isTrue();
    assertThat(calls.stream().mapToInt(size -> size).sum()).isGreaterThan(50_000);
    assertThat(calls.size()).isLessThan(4_000);
  }

  @Test
  void itIsIdleWhenTheLastHasArrived() {
    List<String> idle = new ArrayList<>();
    delivery.afterEach(() -> idle.add(delivery.isIdle() ? "idle" : "busy"));
    manual.event(
        () -> {
          deliver(Duration.ofSeconds(30));
          deliver(Duration.ofSeconds(30));
        });
    wire.next().answer(new Outcome.Released(), new Outcome.Released());

    assertThat(idle).containsExactly("busy", "idle");
  }
}
