package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.EVE;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.Rules;
import dev.leasehold.testkit.suite.Await;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * I8: one request's acquire, its repeats, its abandon, its holder's release and hand over, an
 * operator's revocation and another's acquire, in every order and with time running out at every
 * point. Each order plays on a key of its own, and all of them at once, so that a store with slow
 * round trips passes too.
 */
abstract class RetryContract extends LeaseGroup {
  private static final int LENGTH = 4;
  private static final int LONGER = Boolean.getBoolean("leasehold.proof") ? 7 : 5;
  private static final RequestId REQUEST = ContractCallers.request("r1");

  private enum Move {
    ACQUIRE,
    ABANDON,
    RELEASE,
    OTHERS_ACQUIRE,
    HAND_OVER,
    REVOKE
  }

  private static final List<Move> ALL_MOVES = List.of(Move.values());
  private static final List<Move> MOVES = ALL_MOVES.subList(0, 4);

  /** One order of moves on one key, and what its request has come to so far. */
  private static final class Play {
    final LeaseKey key;
    final List<Move> moves;
    final List<Outcome> told = new ArrayList<>();
    Optional<Token> granted = Optional.empty();
    final Map<Move, Command> givings = new EnumMap<>(Move.class);
    final Map<Move, Outcome> effects = new EnumMap<>(Move.class);
    boolean abandoned;

    Play(LeaseKey key, List<Move> moves) {
      this.key = key;
      this.moves = moves;
    }

    Command command(int move) {
      return switch (moves.get(move)) {
        case ACQUIRE -> Command.Acquire.of(key, ANN, REQUEST, ContractCallers.terms(ANN));
        case ABANDON -> new Command.Abandon(key, ANN, REQUEST);
        case RELEASE, HAND_OVER -> giving(moves.get(move));
        case REVOKE ->
            new Command.Revoke(
                key,
                ContractCallers.OPERATOR,
                ContractCallers.WHY,
                Command.Reopening.NOW,
                ContractCallers.request("v1"));
        case OTHERS_ACQUIRE ->
            Command.Acquire.of(
                key, BOB, ContractCallers.request("other" + move), ContractCallers.terms(BOB));
      };
    }

    /** A release or hand over is repeated too, once there is something to give. */
    private Command giving(Move move) {
      Token token = granted.orElse(Token.of(1, 1));
      Command.Heir heir = new Command.Heir(ContractCallers.nameOf(EVE), EVE.id());
      Command now =
          move == Move.RELEASE
              ? new Command.Release(key, token, ANN, ContractCallers.request("e1"))
              : new Command.HandOver(key, token, ANN, ContractCallers.request("h1"), heir);
      if (granted.isPresent()) {
        givings.putIfAbsent(move, now);
      }
      return givings.getOrDefault(move, now);
    }

    void judge(int move, Outcome outcome) {
      told.add(outcome);
      switch (moves.get(move)) {
        case ACQUIRE -> judgeAcquire(outcome);
        case ABANDON -> {
          assertThat(outcome).as(this::toString).isEqualTo(new Outcome.Abandoned());
          abandoned = true;
        }
        case RELEASE, HAND_OVER, REVOKE -> judgeEffect(moves.get(move), outcome);
        case OTHERS_ACQUIRE -> {}
      }
    }

    /** Once something has come of it, every repeat is told the same. */
    private void judgeEffect(Move move, Outcome outcome) {
      Outcome before = effects.get(move);
      if (before != null && !before.equals(outcome)) {
        assertThat(outcome).as("the repeat of what took effect: %s", this).isEqualTo(before);
      }
      if (!(outcome instanceof Outcome.Lost) && !(outcome instanceof Outcome.Free)) {
        effects.put(move, outcome);
      }
    }

    private void judgeAcquire(Outcome outcome) {
      if (outcome instanceof Outcome.Granted again) {
        assertThat(abandoned).as("granted after its abandon: %s", this).isFalse();
        Token token = again.grant().token();
        assertThat(granted.orElse(token)).as("granted twice: %s", this).isEqualTo(token);
        granted = Optional.of(token);
      } else if (outcome instanceof Outcome.Ended ended) {
        assertThat(granted).as("the end of another grant: %s", this).contains(ended.token());
      } else {
        assertThat(granted).as("a forgotten grant: %s", this).isEmpty();
      }
    }

    @Override
    public String toString() {
      return moves + " on " + key + ", told so far " + told;
    }
  }

  @Test
  void every_order_of_moves_with_time_running_out_anywhere_acts_once() {
    for (int pauses = 0; pauses < 1 << LENGTH; pauses++) {
      play(orders("pauses-" + pauses, MOVES, LENGTH), pauses);
    }
  }

  @Test
  void every_longer_order_of_moves_acts_once() {
    play(orders("longer", MOVES, LONGER), 0);
  }

  @Test
  void every_order_with_hand_overs_and_revocations_acts_once() {
    for (int paused = 1; paused <= LENGTH; paused++) {
      play(orders("given-" + paused, ALL_MOVES, LENGTH), 1 << paused);
    }
  }

  /** Every order of so many moves: the number of each, with a digit for each move, is its name. */
  private static List<Play> orders(String name, List<Move> moves, int length) {
    int count = 1;
    for (int i = 0; i < length; i++) {
      count *= moves.size();
    }
    return IntStream.range(0, count)
        .mapToObj(n -> new Play(new LeaseKey("retry/" + name + "-" + n), order(n, moves, length)))
        .toList();
  }

  private static List<Move> order(int number, List<Move> moves, int length) {
    List<Move> order = new ArrayList<>();
    for (int rest = number; order.size() < length; rest /= moves.size()) {
      order.add(moves.get(rest % moves.size()));
    }
    return order;
  }

  /** Plays all orders; a bit of the pauses says that the grants run out before that move. */
  private void play(List<Play> plays, int pauses) {
    int length = plays.getFirst().moves.size();
    ModelStore model = new ModelStore(Rules.sound(), fixture.limits(), START);
    for (int move = 0; move < length; move++) {
      if ((pauses >> move & 1) == 1) {
        fixture.pass(TTL);
      }
      for (int from = 0; from < plays.size(); from += 512) {
        move(plays.subList(from, Math.min(from + 512, plays.size())), move, model);
      }
    }
  }

  private void move(List<Play> plays, int move, ModelStore model) {
    List<Command> batch = plays.stream().map(play -> play.command(move)).toList();
    List<Outcome> outcomes = Await.answer(fixture.store().apply(batch));
    assertThat(outcomes).hasSize(batch.size());
    for (int i = 0; i < plays.size(); i++) {
      plays.get(i).judge(move, outcomes.get(i));
      Outcome expected = model.apply(batch.get(i), fixture.now());
      // Asserted only where it fails: there are tens of thousands.
      if (!outcomes.get(i).equals(expected)) {
        assertThat(outcomes.get(i)).as(plays.get(i)::toString).isEqualTo(expected);
      }
    }
  }
}
