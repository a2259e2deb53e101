package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.Actor.KEY;
import static dev.leasehold.kernel.rules.OneKey.INCARNATION;
import static dev.leasehold.kernel.rules.OneKey.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Every well-formed command has an outcome of its own verb, for every record, reachable or not,
 * every memory and every time.
 */
class RandomStateTest {
  private static final int CASES = 20_000;
  private static final long DAY = 86_400_000;
  private static final List<LossReason> REASONS =
      List.of(
          new LossReason.Superseded("ben", Token.of(INCARNATION, 3)),
          new LossReason.Expired(),
          new LossReason.Released(),
          OneKey.revokedByOlga(),
          new LossReason.Stalled(),
          new LossReason.IncarnationAdvanced());

  private final long seed = RandomCommands.seed("random states");
  private final SplittableRandom random = new SplittableRandom(seed);
  private final RandomCommands commands = new RandomCommands(random);

  @Test
  void everyCommandHasAnOutcomeOfItsVerb() {
    for (int i = 0; i < CASES; i++) {
      KeyState state = state();
      Command command = commands.any();
      long clock = time();
      Decision decision = decide(state, command, clock);
      String as = "seed " + seed + ", case " + i + ": " + command + " on " + state.record();
      assertThat(decision.outcome()).as(as).isInstanceOf(outcomesOf(command));
      assertThat(decide(state, command, clock)).as(as).isEqualTo(decision);
      assertInOrder(state.record(), decision, as);
    }
  }

  private static Decision decide(KeyState state, Command command, long clock) {
    return LeaseRules.decide(state, command, clock, Limits.SINGLE_NODE);
  }

  private static void assertInOrder(LeaseRecord before, Decision decision, String as) {
    if (decision.effect() instanceof Decision.Put put) {
      assertThat(put.record().last().isBelow(before.last())).as(as).isFalse();
      assertThat(put.record().writtenAtMillis())
          .as(as)
          .isGreaterThanOrEqualTo(before.writtenAtMillis());
      assertThat(decision.unissued()).as(as).isEmpty();
    }
  }

  private static Class<? extends Outcome> outcomesOf(Command command) {
    return switch (command) {
      case Command.Acquire c -> Outcome.OfAcquire.class;
      case Command.Abandon c -> Outcome.OfAbandon.class;
      case Command.Renew c -> Outcome.OfRenew.class;
      case Command.Release c -> Outcome.OfRelease.class;
      case Command.HandOver c -> Outcome.OfHandOver.class;
      case Command.Revoke c -> Outcome.OfRevoke.class;
      case Command.Reopen c -> Outcome.OfReopen.class;
      case Command.EndStalled c -> Outcome.OfEndStalled.class;
      case Command.EndExpired c -> Outcome.OfEndExpired.class;
      case Command.Purge c -> Outcome.OfPurge.class;
    };
  }

  private KeyState state() {
    Token last = commands.token();
    LeaseRecord blank = LeaseRecord.blank(KEY, last);
    StoreIncarnation storeIncarnation =
        new StoreIncarnation(INCARNATION + random.nextInt(4), random.nextBoolean() ? 0 : time());
    if (random.nextInt(8) == 0) {
      return new KeyState(blank, storeIncarnation, memory());
    }
    Optional<Grant> grant = random.nextInt(6) == 0 ? Optional.empty() : Optional.of(grant(last));
    LeaseRecord record = new LeaseRecord(KEY, last, grant, closure(), bar(), Math.max(1, time()));
    return new KeyState(record, storeIncarnation, memory());
  }

  private Grant grant(Token last) {
    long from = time();
    Token token =
        last.counter() == 0 || random.nextBoolean()
            ? last
            : Token.of(last.incarnation(), random.nextLong(last.counter()));
    return new Grant(
        token,
        commands.actor().id(),
        new RequestId("r" + random.nextInt(30)),
        commands.actor().terms(commands.ttl()).withStallLimit(new StallLimit(random.nextInt(3))),
        from,
        from + random.nextInt(30_000),
        from + random.nextInt(90_000),
        new Progress(random.nextLong(20), time()),
        standing());
  }

  private Standing standing() {
    return switch (random.nextInt(4)) {
      case 0, 1 -> Standing.OPEN;
      case 2 -> Standing.LAPSED;
      default -> new Standing.Ended(reason(), time());
    };
  }

  private LossReason reason() {
    return REASONS.get(random.nextInt(REASONS.size()));
  }

  private Optional<Closure> closure() {
    return switch (random.nextInt(4)) {
      case 0 -> Optional.of(new Closure("closed", OptionalLong.empty()));
      case 1 -> Optional.of(new Closure("closed", OptionalLong.of(time())));
      default -> Optional.empty();
    };
  }

  private Optional<Bar> bar() {
    return random.nextInt(3) == 0
        ? Optional.of(new Bar(commands.actor().id(), "barred", time()))
        : Optional.empty();
  }

  /** A random memory that repeats its answers. */
  private RequestMemory memory() {
    boolean effects = random.nextInt(4) == 0;
    Token token = commands.token();
    Optional<LossReason> end = random.nextBoolean() ? Optional.of(reason()) : Optional.empty();
    return new RequestMemory() {
      @Override
      public Optional<Remembered> effectOf(Remembered.Request request) {
        return effects ? Optional.of(new Remembered(request, token, START)) : Optional.empty();
      }

      @Override
      public Optional<LossReason> endOf(Token ignored) {
        return end;
      }
    };
  }

  /** A random time: mostly close to others, sometimes a day off, rarely far in the past. */
  private long time() {
    return switch (random.nextInt(10)) {
      case 0 -> START - DAY + random.nextLong(2 * DAY);
      case 1 -> random.nextLong(3) - 1;
      default -> START + random.nextLong(120_000);
    };
  }
}
