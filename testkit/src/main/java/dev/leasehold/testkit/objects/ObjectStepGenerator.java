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
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.Await;
import dev.leasehold.testkit.suite.FencedStepGenerator;
import dev.leasehold.testkit.suite.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Draws writes, reads, leases, bindings and moves of the clock, with names that meet. */
final class ObjectStepGenerator extends FencedStepGenerator<ObjectsUnderTest, ObjectCommand> {
  private static final List<ObjectName> NAMES =
      List.of(
          ObjectsGroup.NAME,
          ObjectsGroup.OTHER,
          ObjectName.of("config", "a"),
          ObjectName.of("config", "b"));
  private static final Operator OPERATOR = new Operator("olga");
  private static final int MAX_BATCH = 6;

  private final List<Version> versions = new ArrayList<>(List.of(new Version(3)));

  ObjectStepGenerator(SplittableRandom random, long startMillis) {
    super(random, startMillis);
  }

  @Override
  public Step<ObjectsUnderTest> next() {
    int dice = random.nextInt(100);
    if (dice < 62) {
      return Step.batch(
          commands(MAX_BATCH), (store, commands) -> Await.answer(store.objects().apply(commands)));
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

  private Step<ObjectsUnderTest> rare(int dice) {
    ObjectScope scope =
        random.nextBoolean() ? ObjectScope.all("config") : ObjectScope.one(any(NAMES));
    LeaseKey key = key();
    if (dice < 93) {
      return Step.of(
          "bind " + scope + " to " + key,
          store -> Await.answer(store.objects().bind(scope, key, OPERATOR)));
    }
    if (dice < 97) {
      return Step.of("unbind " + scope, store -> Await.answer(store.others().unbind(scope)));
    }
    if (dice < 99) {
      // How many there are is not compared: a store also purges by itself.
      return Step.of(
          "purge", store -> Await.answer(store.objects().purge(new PurgeQuery(0, 100))).getClass());
    }
    return advancing();
  }

  @Override
  protected ObjectCommand newCommand() {
    ObjectName name = any(NAMES);
    Optional<Claim> claim = claim();
    RequestId request = request();
    return random.nextInt(4) == 0
        ? new ObjectCommand.Delete(name, expectedOfDelete(), claim, request)
        : new ObjectCommand.Put(name, Payload.ofText("of " + request), expected(), claim, request);
  }

  private Expectation expected() {
    return random.nextInt(3) == 0 ? Expectation.ABSENCE : expectedOfDelete();
  }

  private Expectation expectedOfDelete() {
    return random.nextBoolean() ? Expectation.ANYTHING : Expectation.at(any(versions));
  }

  @Override
  protected void learnOutcome(Object outcome) {
    if (outcome instanceof ObjectOutcome.Written written) {
      keep(versions, written.version());
    } else if (outcome instanceof ObjectOutcome.Conflict(Optional<Version> current)) {
      current.ifPresent(version -> keep(versions, version));
    }
  }
}
