package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.EVE;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Await;
import dev.leasehold.testkit.suite.ContractGroup;
import dev.leasehold.testkit.suite.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two or more things at the same moment that stores get wrong when they look first and lock later:
 * again and again, from both handles, with a look at the record after each time.
 */
abstract class RacesContract extends ContractGroup<StoreUnderTest> {
  private static final int ROUNDS = 80;
  private static final int MAX_ATTEMPTS = 100;

  // Opened before each test, which JUnit promises and the compiler cannot see.
  @SuppressWarnings("NullAway.Init")
  private RaceFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private LeaseStore one;

  @SuppressWarnings("NullAway.Init")
  private LeaseStore other;

  @BeforeEach
  @Override
  public void openStore() {
    super.openStore();
    fixture = new RaceFixture(under, START);
    one = fixture.handlesFor("one").getFirst();
    other = fixture.handlesFor("other").getLast();
  }

  /** One race: what goes before it, what happens at once, and what must be true afterwards. */
  private interface Race {
    void prepare(LeaseKey key, int round);

    void first();

    void second();

    void judge(LeaseKey key);
  }

  /** Each round has a key of its own, and the last look at it comes when the round is over. */
  private void run(String name, Race race) {
    List<LeaseKey> keys = new ArrayList<>();
    Rounds.run(
        List.of(race::first, race::second),
        ROUNDS,
        () -> {
          if (!keys.isEmpty()) {
            fixture.look(List.of(keys.getLast()));
            race.judge(keys.getLast());
            fixture.look(List.of(keys.getLast()));
          }
          keys.add(LeaseKey.of(name, Integer.toString(keys.size())));
          race.prepare(keys.getLast(), keys.size());
        });
    fixture.requireInOrder(name);
  }

  /**
   * The answer. A command that failed is sent again, as any client would do, and so is an acquire
   * that another transaction kept from the key's row.
   */
  private static Outcome send(LeaseStore store, Command command) {
    long deadline = Ticker.system().nanos() + TimeUnit.SECONDS.toNanos(Await.TIMEOUT_SECONDS);
    Outcome outcome = Await.answer(store.apply(List.of(command))).getFirst();
    for (int i = 1; mayPass(outcome, i) && Ticker.system().nanos() - deadline < 0; i++) {
      outcome = Await.answer(store.apply(List.of(command))).getFirst();
    }
    return outcome;
  }

  /** A store waits only briefly for a locked row, and then answers that nothing remains. */
  private static boolean mayPass(Outcome outcome, int attempts) {
    return switch (outcome) {
      case Outcome.Failed failed -> attempts < MAX_ATTEMPTS;
      case Outcome.Held held -> held.remainingMillis() == 0;
      default -> false;
    };
  }

  private Token granted(LeaseKey key, Instance to, String request) {
    Outcome outcome = send(one, ContractCallers.acquire(key, to, request));
    assertThat(outcome)
        .as("an acquire of the free key %s", key)
        .isInstanceOf(Outcome.Granted.class);
    return ((Outcome.Granted) outcome).grant().token();
  }

  private void release(LeaseKey key, Instance from, Token token) {
    Command release = new Command.Release(key, token, from, ContractCallers.request("end"));
    assertThat(send(one, release)).isEqualTo(new Outcome.Released());
  }

  /** I8, when the repeat does not wait for the answer. */
  @Test
  void one_request_sent_twice_at_once_acts_once() {
    run("twice", new SentTwice());
  }

  private final class SentTwice implements Race {
    private Command command = ContractCallers.acquire(ANN, "none");
    private Class<? extends Outcome> expected = Outcome.Granted.class;
    private final Outcome[] answers = new Outcome[2];

    @Override
    public void prepare(LeaseKey key, int round) {
      switch (round % 4) {
        case 0 -> expect(Outcome.Granted.class, ContractCallers.acquire(key, ANN, "r1"));
        case 1 -> {
          Token token = granted(key, ANN, "r1");
          expect(
              Outcome.Released.class,
              new Command.Release(key, token, ANN, ContractCallers.request("e1")));
        }
        case 2 -> {
          Token token = granted(key, ANN, "r1");
          Command.Heir heir = new Command.Heir(ContractCallers.nameOf(BOB), BOB.id());
          expect(
              Outcome.HandedOver.class,
              new Command.HandOver(key, token, ANN, ContractCallers.request("h1"), heir));
        }
        default -> {
          granted(key, ANN, "r1");
          expect(
              Outcome.Revoked.class,
              new Command.Revoke(
                  key,
                  ContractCallers.OPERATOR,
                  ContractCallers.WHY,
                  Command.Reopening.BY_OPERATOR,
                  ContractCallers.request("v1")));
        }
      }
    }

    private void expect(Class<? extends Outcome> outcome, Command next) {
      expected = outcome;
      command = next;
    }

    @Override
    public void first() {
      answers[0] = send(one, command);
    }

    @Override
    public void second() {
      answers[1] = send(other, command);
    }

    @Override
    public void judge(LeaseKey key) {
      List<Outcome> told = List.of(answers);
      assertThat(told).as("both answers to %s", command).hasOnlyElementsOfType(expected);
      assertThat(told.getLast()).as("the other answer to %s", command).isEqualTo(told.getFirst());
    }
  }

  /** I2: the row that an acquire has just written must not go with the one that was dead. */
  @Test
  void an_acquire_that_meets_a_purge_keeps_its_token_for_good() {
    run("purge", new MetByPurge());
  }

  private final class MetByPurge implements Race {
    private LeaseKey key = ContractCallers.KEY;
    private boolean sweeps;

    @Override
    public void prepare(LeaseKey next, int round) {
      key = next;
      sweeps = round % 2 == 0;
      release(key, ANN, granted(key, ANN, "r1"));
      fixture.pass(one.limits().memoryMillis() + 1);
    }

    @Override
    public void first() {
      assertThat(send(one, ContractCallers.acquire(key, BOB, "r2")))
          .isInstanceOf(Outcome.Granted.class);
    }

    @Override
    public void second() {
      if (sweeps) {
        Await.answer(other.purge(new PurgeQuery(0, ListQuery.MAX_LIMIT)));
      } else {
        send(other, new Command.Purge(key, 0));
      }
    }

    /** The history is what tells whether the next token is a new one. */
    @Override
    public void judge(LeaseKey ofRound) {
      assertThat(send(other, ContractCallers.acquire(key, EVE, "r3")))
          .as("an acquire of %s, which was just granted", key)
          .isInstanceOf(Outcome.Held.class);
      fixture.pass(TTL.toMillis());
      granted(key, EVE, "r4");
    }
  }

  /** Neither comes first, and there is no row to wait for. */
  @Test
  void an_abandon_that_meets_its_acquire_leaves_the_key_free() {
    run("abandon", new MetByAbandon());
  }

  private final class MetByAbandon implements Race {
    private LeaseKey key = ContractCallers.KEY;
    private Outcome told = new Outcome.Free();

    @Override
    public void prepare(LeaseKey next, int round) {
      key = next;
    }

    @Override
    public void first() {
      told = send(one, ContractCallers.acquire(key, ANN, "r1"));
    }

    @Override
    public void second() {
      assertThat(send(other, new Command.Abandon(key, ANN, ContractCallers.request("r1"))))
          .isEqualTo(new Outcome.Abandoned());
    }

    @Override
    public void judge(LeaseKey ofRound) {
      assertThat(told)
          .isInstanceOfAny(Outcome.Granted.class, Outcome.Ended.class, Outcome.Abandoned.class);
      Outcome repeated = send(one, ContractCallers.acquire(key, ANN, "r1"));
      assertThat(repeated)
          .as("the repeat of an acquire that was answered %s", told)
          .isInstanceOf(
              told instanceof Outcome.Abandoned ? Outcome.Abandoned.class : Outcome.Ended.class);
      granted(key, BOB, "r2");
    }
  }

  /** I1, I3: at the last moment a renewal wins or a takeover does, and never both. */
  @Test
  void a_renewal_at_the_last_moment_wins_or_loses() {
    run("expiry", new AtExpiry());
  }

  private final class AtExpiry implements Race {
    private LeaseKey key = ContractCallers.KEY;
    private Token token = Token.of(1, 1);

    @Override
    public void prepare(LeaseKey next, int round) {
      key = next;
      token = granted(key, ANN, "r1");
      fixture.pass(TTL.toMillis() - 1);
    }

    /** The clock comes to the moment while both are in flight. */
    @Override
    public void first() {
      send(one, Command.Renew.of(key, token, ANN));
      fixture.pass(1);
      send(one, Command.Renew.of(key, token, ANN));
    }

    @Override
    public void second() {
      for (int i = 0; i < 4; i++) {
        send(other, ContractCallers.acquire(key, BOB, "r2-" + i));
      }
    }

    @Override
    public void judge(LeaseKey ofRound) {
      fixture.pass(2 * TTL.toMillis());
    }
  }

  /** I2, I3: every command that is sent after the answer belongs to the new incarnation. */
  @Test
  void after_an_advance_nothing_of_the_time_before_goes_on() {
    Seed seed = Seed.forTest("advances among acquires and renewals");
    List<LeaseKey> keys = List.of(LeaseKey.of("lock", "a"), LeaseKey.of("lock", "b"));
    List<Runnable> tasks = new ArrayList<>();
    for (RacingCaller contender : fixture.gather(seed, keys)) {
      tasks.add(() -> contender.act(4));
    }
    Advance advance = new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));
    tasks.add(
        () -> assertThat(Await.answer(one.advance(advance))).isInstanceOf(Advance.Advanced.class));
    Rounds.run(tasks, ROUNDS / 2, () -> fixture.look(keys));
    fixture.requireInOrder(seed);
  }

  /** A store that locks in the order of the batch would wait for itself. */
  @Test
  void batches_in_opposite_orders_are_all_answered() {
    Seed seed = Seed.forTest("batches in opposite orders");
    List<LeaseKey> keys =
        List.of(
            LeaseKey.of("lock", "a"),
            LeaseKey.of("lock", "b"),
            LeaseKey.of("lock", "c"),
            LeaseKey.of("lock", "d"));
    List<Runnable> tasks = new ArrayList<>();
    for (RacingCaller contender : fixture.gather(seed, keys)) {
      List<LeaseKey> inOrder = tasks.size() % 2 == 0 ? keys : keys.reversed();
      tasks.add(() -> contender.actOn(inOrder));
    }
    Rounds.run(tasks, ROUNDS, () -> fixture.look(keys));
    fixture.requireInOrder(seed);
  }
}
