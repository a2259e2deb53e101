package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.Await;
import dev.leasehold.testkit.suite.RecentRequests;
import dev.leasehold.testkit.suite.Step;
import dev.leasehold.testkit.suite.StepGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Draws writes, reads, leases, bindings and moves of the clock, with names that meet. */
final class ObjectStepGenerator implements StepGenerator<ObjectsUnderTest> {
  private static final List<ObjectName> NAMES =
      List.of(
          ObjectsGroup.NAME,
          ObjectsGroup.OTHER,
          ObjectName.of("config", "a"),
          ObjectName.of("config", "b"));
  private static final List<LeaseKey> KEYS = List.of(ObjectsGroup.KEY, ObjectsGroup.OTHER_KEY);
  private static final int MAX_KNOWN = 12;
  private static final int MAX_BATCH = 6;
  private static final Duration LONG = Duration.ofMinutes(11);

  private final SplittableRandom random;
  private final List<Version> versions = new ArrayList<>(List.of(new Version(3)));
  private final List<Claim> claims = new ArrayList<>();
  private final RecentRequests<ObjectCommand> sent;
  private long nowMillis;
  private int incarnation = 5_000;
  private int requests;

  ObjectStepGenerator(SplittableRandom random, long startMillis) {
    this.random = random;
    this.nowMillis = startMillis;
    this.sent = new RecentRequests<>(random);
  }

  @Override
  public Step<ObjectsUnderTest> next() {
    int dice = random.nextInt(100);
    if (dice < 62) {
      List<ObjectCommand> batch = new ArrayList<>();
      int size = 1 + random.nextInt(MAX_BATCH);
      for (int i = 0; i < size; i++) {
        batch.add(command());
      }
      return Step.batch(batch, (store, commands) -> Await.answer(store.objects().apply(commands)));
    }
    if (dice < 72) {
      return Step.of("read", ObjectStepGenerator::everything);
    }
    return dice < 82 ? leasing() : dice < 90 ? passing() : rare(dice);
  }

  private static Object everything(ObjectsUnderTest store) {
    return List.of(
        Await.answer(store.objects().read(NAMES)),
        Await.answer(store.others().list(ObjectQuery.all("config"))),
        Await.answer(store.others().list(new ObjectQuery("sandbox", "", 1))),
        Await.answer(store.objects().bindings(ObjectQuery.all("config"))));
  }

  private Step<ObjectsUnderTest> passing() {
    nowMillis += random.nextInt(4) == 0 ? LONG.toMillis() : random.nextInt(15_000);
    sent.clockMovedTo(nowMillis);
    return Step.clock(nowMillis);
  }

  private Step<ObjectsUnderTest> leasing() {
    LeaseKey key = any(KEYS);
    Command command =
        random.nextBoolean() || claims.isEmpty()
            ? Command.Acquire.of(
                key,
                random.nextBoolean() ? ObjectsGroup.ANN : ObjectsGroup.BOB,
                request(),
                Terms.of("somebody", ObjectsGroup.TTL))
            : new Command.Release(
                any(claims).key(), any(claims).token(), ObjectsGroup.ANN, request());
    return Step.of(
        command.toString(),
        store -> {
          Outcome outcome = Await.answer(store.leases().store().apply(List.of(command))).getFirst();
          return outcome instanceof Outcome.Granted granted
              ? Claim.of(command.key(), granted.grant().token())
              : outcome.getClass();
        });
  }

  private Step<ObjectsUnderTest> rare(int dice) {
    ObjectScope scope =
        random.nextBoolean() ? ObjectScope.all("config") : ObjectScope.one(any(NAMES));
    LeaseKey key = any(KEYS);
    if (dice < 93) {
      return Step.of(
          "bind " + scope + " to " + key,
          store -> Await.answer(store.objects().bind(scope, key, ObjectsGroup.OLGA)));
    }
    if (dice < 97) {
      return Step.of("unbind " + scope, store -> Await.answer(store.others().unbind(scope)));
    }
    if (dice < 99) {
      // How many there are is not compared: a store also purges by itself.
      return Step.of(
          "purge", store -> Await.answer(store.objects().purge(new PurgeQuery(0, 100))).getClass());
    }
    int above = incarnation++;
    return Step.of(
        "advance above " + above,
        store -> Await.answer(store.leases().store().advance(Advance.above(above))));
  }

  private ObjectCommand command() {
    Optional<ObjectCommand> again = random.nextInt(6) == 0 ? sent.any() : Optional.empty();
    return again.orElseGet(this::newCommand);
  }

  private ObjectCommand newCommand() {
    ObjectName name = any(NAMES);
    Optional<Claim> claim =
        claims.isEmpty() || random.nextInt(3) == 0 ? Optional.empty() : Optional.of(claim());
    return sent.add(
        random.nextInt(4) == 0
            ? new ObjectCommand.Delete(name, expectedOfDelete(), claim, request())
            : new ObjectCommand.Put(
                name, Payload.ofText("p" + requests), expected(), claim, request()),
        nowMillis);
  }

  private Claim claim() {
    Claim known = any(claims);
    return random.nextInt(10) == 0
        ? Claim.of(known.key(), new Token(known.token().value() + 1))
        : known;
  }

  private Expectation expected() {
    return random.nextInt(3) == 0 ? Expectation.ABSENCE : expectedOfDelete();
  }

  private Expectation expectedOfDelete() {
    return random.nextBoolean() ? Expectation.ANYTHING : Expectation.at(any(versions));
  }

  private RequestId request() {
    return new RequestId("q" + requests++);
  }

  private <T> T any(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private static <T> void keep(List<T> known, T one) {
    known.add(one);
    if (known.size() > MAX_KNOWN) {
      known.removeFirst();
    }
  }

  @Override
  public void learn(Object answer) {
    if (answer instanceof Claim claim) {
      keep(claims, claim);
    } else if (answer instanceof List<?> outcomes) {
      for (Object outcome : outcomes) {
        if (outcome instanceof ObjectOutcome.Written written) {
          keep(versions, written.version());
        } else if (outcome instanceof ObjectOutcome.Conflict(Optional<Version> current)) {
          current.ifPresent(version -> keep(versions, version));
        }
      }
    }
  }
}
