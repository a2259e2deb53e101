package dev.leasehold.testkit.suite;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Draws what is beside the commands of every block: leases, moves of the clock, advances, claims
 * and repeats.
 *
 * @param <C> a command of the block
 */
public abstract class FencedStepGenerator<U extends BlockUnderTest, C> implements StepGenerator<U> {
  private static final List<LeaseKey> KEYS = List.of(FencedGroup.KEY, FencedGroup.OTHER_KEY);
  private static final int MAX_KNOWN = 12;
  private static final Duration LONG = Duration.ofMinutes(11);

  protected final SplittableRandom random;
  private final List<Claim> claims = new ArrayList<>();
  private final RecentRequests<C> sent;
  private long nowMillis;
  private int incarnation = 5_000;
  private int requests;

  protected FencedStepGenerator(SplittableRandom random, long startMillis) {
    this.random = random;
    this.nowMillis = startMillis;
    this.sent = new RecentRequests<>(random);
  }

  /** A command that was not sent before. */
  protected abstract C newCommand();

  /** Up to so many commands, some of which were sent before. */
  protected final List<C> commands(int most) {
    List<C> batch = new ArrayList<>();
    int size = 1 + random.nextInt(most);
    for (int i = 0; i < size; i++) {
      Optional<C> again = random.nextInt(6) == 0 ? sent.any() : Optional.empty();
      batch.add(again.orElseGet(() -> sent.add(newCommand(), nowMillis)));
    }
    return batch;
  }

  protected final Step<U> passing() {
    nowMillis += random.nextInt(4) == 0 ? LONG.toMillis() : random.nextInt(15_000);
    sent.clockMovedTo(nowMillis);
    return Step.clock(nowMillis);
  }

  protected final Step<U> leasing() {
    Command command =
        random.nextBoolean() || claims.isEmpty()
            ? Command.Acquire.of(
                key(),
                random.nextBoolean() ? FencedGroup.ANN : FencedGroup.BOB,
                request(),
                Terms.of("a holder", FencedGroup.TTL))
            : release(any(claims));
    return Step.of(
        command.toString(),
        under -> {
          Outcome outcome = Await.answer(under.leaseStore().apply(List.of(command))).getFirst();
          return outcome instanceof Outcome.Granted granted
              ? Claim.of(command.key(), granted.grant().token())
              : outcome.getClass();
        });
  }

  private Command release(Claim claim) {
    return new Command.Release(claim.key(), claim.token(), FencedGroup.ANN, request());
  }

  protected final Step<U> advancing() {
    int above = incarnation++;
    return Step.of(
        "advance above " + above,
        under -> Await.answer(under.leaseStore().advance(Advance.above(above))));
  }

  protected final LeaseKey key() {
    return any(KEYS);
  }

  /** The claim of a command: none, that of a grant, or of one that was never made. */
  protected final Optional<Claim> claim() {
    if (claims.isEmpty() || random.nextInt(3) == 0) {
      return Optional.empty();
    }
    Claim known = any(claims);
    return Optional.of(
        random.nextInt(10) == 0
            ? Claim.of(known.key(), new Token(known.token().value() + 1))
            : known);
  }

  protected final RequestId request() {
    return new RequestId("q" + requests++);
  }

  protected final <T> T any(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  /** Remembers the last few. */
  protected static <T> void keep(List<T> known, T one) {
    known.add(one);
    if (known.size() > MAX_KNOWN) {
      known.removeFirst();
    }
  }

  @Override
  public final void learn(Object answer) {
    if (answer instanceof Claim claim) {
      keep(claims, claim);
    } else if (answer instanceof List<?> outcomes) {
      outcomes.forEach(this::learnOutcome);
    }
  }

  /** Is told one outcome of a batch, or what a read has found. */
  protected abstract void learnOutcome(Object outcome);
}
