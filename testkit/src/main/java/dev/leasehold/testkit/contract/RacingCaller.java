package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.suite.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** One thread with an instance of its own, which believes in its grants until told otherwise. */
final class RacingCaller {
  static final Duration TTL = Duration.ofSeconds(2);

  private static final int MEAN_ROUNDS_AWAKE = 8;
  private static final int MAX_ROUNDS_PAUSED = 10;

  private final RaceFixture fixture;
  private final String name;
  private final List<LeaseKey> keys;
  private final SplittableRandom random;
  private final List<LeaseStore> handles;
  private final Instance instance = Instance.random();
  // Concurrent, since a giver puts what it has handed over into its heir's.
  private final Map<LeaseKey, Token> believed = new ConcurrentHashMap<>();

  private int pausedRounds;
  private int sent;

  RacingCaller(RaceFixture fixture, String name, List<LeaseKey> keys, SplittableRandom random) {
    this.fixture = fixture;
    this.name = name;
    this.keys = keys;
    this.random = random;
    this.handles = fixture.handlesFor(name);
  }

  /**
   * So many commands, picked at random, some of them sent twice; or nothing for some rounds, as a
   * paused process would, which then wakes up believing in what others have taken over.
   */
  void act(int commands) {
    if (pausedRounds > 0) {
      pausedRounds--;
      return;
    }
    if (random.nextInt(MEAN_ROUNDS_AWAKE) == 0) {
      pausedRounds = random.nextInt(MAX_ROUNDS_PAUSED);
    }
    for (int i = 0; i < commands; i++) {
      act();
    }
  }

  private void act() {
    if (keys.size() > 1 && random.nextInt(5) == 0) {
      List<LeaseKey> some = shuffled();
      actOn(some.subList(0, 2 + random.nextInt(Math.min(3, some.size() - 1))));
      return;
    }
    LeaseKey key = keys.get(random.nextInt(keys.size()));
    Token token = believed.get(key);
    Command command = token == null ? acquire(key) : use(key, token);
    learn(command, apply(command));
    if (random.nextInt(4) == 0) {
      learn(command, apply(command));
    }
    if (command instanceof Command.Acquire acquire && random.nextInt(20) == 0) {
      apply(new Command.Abandon(key, instance, acquire.requestId()));
    }
  }

  private List<LeaseKey> shuffled() {
    List<LeaseKey> shuffled = new ArrayList<>(keys);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      Collections.swap(shuffled, i, random.nextInt(i + 1));
    }
    return shuffled;
  }

  /** One batch, with a command on each key in this order; now and then it is sent twice. */
  void actOn(List<LeaseKey> inOrder) {
    List<Command> batch = new ArrayList<>();
    for (LeaseKey key : inOrder) {
      Token token = believed.get(key);
      batch.add(token == null ? acquire(key) : use(key, token));
    }
    for (int times = random.nextInt(4) == 0 ? 2 : 1; times > 0; times--) {
      List<Outcome> outcomes = applyAll(batch);
      for (int i = 0; i < batch.size(); i++) {
        learn(batch.get(i), outcomes.get(i));
      }
    }
  }

  private Command acquire(LeaseKey key) {
    return Command.Acquire.of(key, instance, RequestId.random(), Terms.of(name, TTL));
  }

  private Command use(LeaseKey key, Token token) {
    fixture.change(key, token);
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Command.Release(key, token, instance, RequestId.random());
      case 2 -> handOver(key, token);
      default -> Command.Renew.of(key, token, instance);
    };
  }

  private Command handOver(LeaseKey key, Token token) {
    RacingCaller heir = fixture.contenders().get(random.nextInt(RaceFixture.THREADS));
    return heir == this
        ? Command.Renew.of(key, token, instance)
        : new Command.HandOver(
            key,
            token,
            instance,
            RequestId.random(),
            new Command.Heir(heir.name, heir.instance.id()));
  }

  private void learn(Command command, Outcome outcome) {
    LeaseKey key = command.key();
    switch (outcome) {
      case Outcome.Granted granted -> believed.put(key, granted.grant().token());
      case Outcome.Lost lost -> believed.remove(key);
      case Outcome.Released released -> believed.remove(key);
      case Outcome.HandedOver handedOver -> {
        believed.remove(key);
        if (command instanceof Command.HandOver given) {
          fixture.contenders().stream()
              .filter(heir -> heir.instance.id().equals(given.heir().instanceId()))
              .forEach(heir -> heir.believed.put(key, handedOver.token()));
        }
      }
      default -> {}
    }
  }

  /** The grant's token if the key could be had at once. */
  Optional<Token> tryAcquire(LeaseKey key) {
    return apply(acquire(key)) instanceof Outcome.Granted granted
        ? Optional.of(granted.grant().token())
        : Optional.empty();
  }

  void release(LeaseKey key, Token token) {
    Outcome outcome = apply(new Command.Release(key, token, instance, RequestId.random()));
    if (!(outcome instanceof Outcome.Released)) {
      throw new AssertionError(
          "a grant that no other process could end was not released: " + outcome);
    }
  }

  private Outcome apply(Command command) {
    return applyAll(List.of(command)).getFirst();
  }

  /** Through the handles in turn, so that a repeat comes through the other one. */
  private List<Outcome> applyAll(List<Command> batch) {
    sent++;
    return Await.answer(handles.get(sent % handles.size()).apply(batch));
  }
}
