package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Long random histories of a key, with a clock that jumps both ways and commands that are repeated
 * in any order: tokens only grow, an ended grant stays ended, and nothing is done twice.
 */
class RandomHistoryTest {
  private static final int HISTORIES = 200;
  private static final int STEPS = 150;

  private final long seed = RandomCommands.seed("random histories");

  /** A command that changed something, and its outcome. */
  private record Done(Command command, Outcome outcome) {}

  @Test
  void everyHistoryKeepsTheInvariants() {
    SplittableRandom random = new SplittableRandom(seed);
    int grants = 0;
    for (int i = 0; i < HISTORIES; i++) {
      History history = new History(random.split(), "seed " + seed + ", history " + i);
      history.live();
      grants += history.granted.size();
    }
    assertThat(grants).as("grants, or nothing was tried").isGreaterThan(5 * HISTORIES);
  }

  private static final class History {
    private final OneKey key = new OneKey();
    private final List<Done> done = new ArrayList<>();
    private final Set<Token> over = new HashSet<>();
    private final List<Token> granted = new ArrayList<>();
    private final SplittableRandom random;
    private final RandomCommands commands;
    private final String name;
    private int incarnation = INCARNATION;

    History(SplittableRandom random, String name) {
      this.random = random;
      this.commands = new RandomCommands(random);
      this.name = name;
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        turnClock();
        if (random.nextInt(5) == 0 && !done.isEmpty()) {
          repeat(done.get(random.nextInt(done.size())));
        } else {
          first(aimed(commands.any()));
        }
      }
    }

    private void turnClock() {
      switch (random.nextInt(12)) {
        case 0 -> key.stepClockBack(random.nextLong(60_000));
        case 1 -> key.pass(random.nextLong(2_000_000));
        case 2 -> {
          if (random.nextInt(20) == 0) {
            incarnation++;
            key.advanceTo(incarnation, random.nextLong(60_000));
          }
        }
        default -> key.pass(random.nextLong(5_000));
      }
    }

    /** Half of a holder's commands concern the latest grant; otherwise few grants would end. */
    private Command aimed(Command command) {
      Optional<Token> latest = key.record().grant().map(Grant::token);
      if (latest.isEmpty() || random.nextBoolean()) {
        return command;
      }
      Token token = latest.get();
      return switch (command) {
        case Command.Renew c ->
            new Command.Renew(c.key(), token, c.instance(), c.ttlMillis(), c.progress());
        case Command.Release c -> new Command.Release(c.key(), token, c.instance(), c.requestId());
        case Command.HandOver c ->
            new Command.HandOver(c.key(), token, c.instance(), c.requestId(), c.heir());
        case Command.EndStalled c -> new Command.EndStalled(c.key(), token);
        case Command.EndExpired c -> new Command.EndExpired(c.key(), token);
        default -> command;
      };
    }

    private void first(Command command) {
      boolean known = done.stream().anyMatch(d -> d.command().equals(command));
      Token lastBefore = key.record().last();
      Outcome outcome = key.send(command);
      boolean changed =
          key.last().effect() instanceof Decision.Put put && put.remembered().isPresent();
      if (changed) {
        assertThat(known).as("%s: done twice: %s", name, command).isFalse();
        done.add(new Done(command, outcome));
      }
      judge(command, outcome, lastBefore);
      key.last().followUp().ifPresent(this::first);
    }

    private void judge(Command command, Outcome outcome, Token lastBefore) {
      switch (outcome) {
        case Outcome.Granted g when g.grant().token().isAbove(lastBefore) ->
            issue(g.grant().token());
        case Outcome.Granted g -> assertNotOver(g.grant().token());
        case Outcome.HandedOver h when h.token().isAbove(lastBefore) -> issue(h.token());
        case Outcome.Renewed r -> assertNotOver(((Command.Renew) command).token());
        case Outcome.Ended e -> over.add(e.token());
        case Outcome.Lost l when command instanceof Command.Renew r && isEnd(l.reason()) ->
            over.add(r.token());
        case Outcome.Purged p -> done.clear();
        default -> {}
      }
    }

    private static boolean isEnd(LossReason reason) {
      return !(reason instanceof LossReason.NotHolder || reason instanceof LossReason.Unknown);
    }

    private void issue(Token token) {
      assertNotOver(token);
      if (!granted.isEmpty()) {
        assertThat(token.isAbove(granted.getLast())).as(name).isTrue();
      }
      granted.add(token);
    }

    private void assertNotOver(Token token) {
      assertThat(over).as("%s: revived", name).doesNotContain(token);
    }

    private void repeat(Done earlier) {
      Token lastBefore = key.record().last();
      Outcome again = key.send(earlier.command());
      assertThat(key.record().last()).as(name).isEqualTo(lastBefore);
      if (earlier.outcome() instanceof Outcome.Granted granting) {
        assertThat(tokenOf(again)).as(name).isEqualTo(granting.grant().token());
      } else {
        assertThat(again).as(name).isEqualTo(earlier.outcome());
        key.assertNothingWritten();
      }
      judge(earlier.command(), again, lastBefore);
    }

    private static Token tokenOf(Outcome outcome) {
      return switch (outcome) {
        case Outcome.Granted granted -> granted.grant().token();
        case Outcome.Ended ended -> ended.token();
        default -> throw new AssertionError("an acquire was repeated and told " + outcome);
      };
    }
  }
}
