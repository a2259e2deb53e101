package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.ObjectScope;
import dev.leasehold.blocks.objects.Payload;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Random steps that learn from what the reference answered. */
final class ObjectScript {
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
  private final List<ObjectCommand> sent = new ArrayList<>();
  private long nowMillis;
  private int incarnation = 5_000;
  private int requests;

  ObjectScript(SplittableRandom random, long startMillis) {
    this.random = random;
    this.nowMillis = startMillis;
  }

  /** What is done to a store, and all that can be seen of it. */
  interface Step {
    Object on(ObjectsUnderTest store);
  }

  /** With words for whoever reads a failure. */
  private record Said(String words, Step step) implements Step {
    @Override
    public Object on(ObjectsUnderTest store) {
      return step.on(store);
    }

    @Override
    public String toString() {
      return words;
    }
  }

  Step next() {
    int dice = random.nextInt(100);
    if (dice < 62) {
      List<ObjectCommand> batch = new ArrayList<>();
      int size = 1 + random.nextInt(MAX_BATCH);
      for (int i = 0; i < size; i++) {
        batch.add(command());
      }
      return new Said(batch.toString(), store -> ObjectsGroup.answer(store.objects().apply(batch)));
    }
    if (dice < 72) {
      return new Said("read", ObjectScript::everything);
    }
    return dice < 82 ? leasing() : dice < 90 ? passing() : rare(dice);
  }

  private static Object everything(ObjectsUnderTest store) {
    return List.of(
        ObjectsGroup.answer(store.objects().read(NAMES)),
        ObjectsGroup.answer(store.others().list(ObjectQuery.all("config"))),
        ObjectsGroup.answer(store.others().list(new ObjectQuery("sandbox", "", 1))),
        ObjectsGroup.answer(store.objects().bindings(ObjectQuery.all("config"))));
  }

  private Step passing() {
    boolean far = random.nextInt(4) == 0;
    nowMillis += far ? LONG.toMillis() : random.nextInt(15_000);
    if (far) {
      // Too late to be repeated: what a store remembers of them is its own affair.
      sent.clear();
    }
    long now = nowMillis;
    return new Said(
        "clock " + now,
        store -> {
          store.leases().setClock(now);
          return "passed";
        });
  }

  private Step leasing() {
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
    return new Said(
        command.toString(),
        store -> {
          Outcome outcome =
              ObjectsGroup.answer(store.leases().store().apply(List.of(command))).getFirst();
          return outcome instanceof Outcome.Granted granted
              ? Claim.of(command.key(), granted.grant().token())
              : outcome.getClass();
        });
  }

  private Step rare(int dice) {
    ObjectScope scope =
        random.nextBoolean() ? ObjectScope.all("config") : ObjectScope.one(any(NAMES));
    LeaseKey key = any(KEYS);
    if (dice < 93) {
      return new Said(
          "bind " + scope + " to " + key,
          store -> ObjectsGroup.answer(store.objects().bind(scope, key, ObjectsGroup.OLGA)));
    }
    if (dice < 97) {
      return new Said(
          "unbind " + scope, store -> ObjectsGroup.answer(store.others().unbind(scope)));
    }
    if (dice < 99) {
      // How many there are is not compared: a store also purges by itself.
      return new Said(
          "purge",
          store -> ObjectsGroup.answer(store.objects().purge(new PurgeQuery(0, 100))).getClass());
    }
    int above = incarnation++;
    return new Said(
        "advance above " + above,
        store -> ObjectsGroup.answer(store.leases().store().advance(Advance.above(above))));
  }

  private ObjectCommand command() {
    if (!sent.isEmpty() && random.nextInt(6) == 0) {
      return any(sent);
    }
    ObjectName name = any(NAMES);
    Optional<Claim> claim =
        claims.isEmpty() || random.nextInt(3) == 0 ? Optional.empty() : Optional.of(claim());
    ObjectCommand command =
        random.nextInt(4) == 0
            ? new ObjectCommand.Delete(name, expectedOfDelete(), claim, request())
            : new ObjectCommand.Put(
                name, Payload.ofText("p" + requests), expected(), claim, request());
    keep(sent, command);
    return command;
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

  /** Takes in what the reference has answered. */
  Object learned(Object answer) {
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
    return answer;
  }
}
