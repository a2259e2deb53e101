package dev.leasehold.blocks.leader;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Texts;
import java.time.Duration;
import java.util.Optional;

/**
 * A loop that runs only where the election leads.
 *
 * <p>It ends when it is told to ({@link Leading#isEnding()}); after the stop grace it is
 * interrupted. This replica is not a candidate again before it has really ended. What it throws is
 * reported and costs no term: it is begun again, later and later. Standing still does cost the
 * term, if it lasts longer than its allowance.
 *
 * @param rhythm how it goes on when it has come to an end by itself
 * @param allowance how long it may run without {@link Leading#progressed()}; empty: as the election
 *     says
 */
public record LeaderLoop(String name, Rhythm rhythm, Optional<Duration> allowance, Body body) {
  public static final int MAX_NAME = 64;

  public LeaderLoop {
    Texts.requireVisibleAscii("name of a loop", name, MAX_NAME);
    if (allowance.filter(given -> !given.isPositive()).isPresent()) {
      throw new IllFormedException("loop '" + name + "' is allowed no time to progress");
    }
  }

  /** Consumes something until there is no more of it; then it is done for this term. */
  public static LeaderLoop stream(String name, Body body) {
    return new LeaderLoop(name, new Once(), Optional.empty(), body);
  }

  /**
   * Runs when the term begins, and again when this time has passed since its end; up to a tenth
   * more, at random.
   */
  public static LeaderLoop sweep(String name, Duration interval, Body body) {
    return new LeaderLoop(name, Every.of(interval), Optional.empty(), body);
  }

  /** How much later a sweep may begin, at random. */
  public LeaderLoop jitter(Duration upTo) {
    return switch (rhythm) {
      case Once once ->
          throw new IllFormedException("loop '" + name + "' is a stream: it has no interval");
      case Every every -> new LeaderLoop(name, new Every(every.interval(), upTo), allowance, body);
    };
  }

  /** How long it may run without progress. Between its runs a sweep needs to prove nothing. */
  public LeaderLoop allowance(Duration newAllowance) {
    return new LeaderLoop(name, rhythm, Optional.of(newAllowance), body);
  }

  /** What the loop does, on a thread of its own. */
  @FunctionalInterface
  public interface Body {
    void run(Leading leading) throws Exception;
  }

  /** How a loop goes on. */
  public sealed interface Rhythm {}

  /** Not in this term. */
  public record Once() implements Rhythm {}

  /** Again and again. */
  public record Every(Duration interval, Duration jitter) implements Rhythm {
    private static final int JITTER_PART = 10;

    public Every {
      if (interval.isNegative() || jitter.isNegative()) {
        throw new IllFormedException("a sweep's interval and jitter cannot be negative");
      }
    }

    static Every of(Duration interval) {
      return new Every(interval, interval.dividedBy(JITTER_PART));
    }
  }
}
