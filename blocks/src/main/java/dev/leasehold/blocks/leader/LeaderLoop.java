package dev.leasehold.blocks.leader;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Texts;
import java.time.Duration;
import java.util.Optional;

/**
 * A loop that runs only while this replica leads.
 *
 * <p>It returns when {@link Leading#isEnding()}; after the stop grace its thread is interrupted.
 * This replica is no candidate again before the loop has returned. The election reports what a loop
 * throws, and starts it again with a growing backoff; the term goes on. A loop that makes no
 * progress for longer than its allowance costs the term.
 *
 * @param rhythm whether and when it runs again after it has returned
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

  /** Runs once in a term, for example to consume a queue until it is empty. */
  public static LeaderLoop stream(String name, Body body) {
    return new LeaderLoop(name, new Once(), Optional.empty(), body);
  }

  /**
   * Runs when the term begins, and again this time after each run has ended, plus a random jitter
   * of up to a tenth.
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

  /** How long one run may go without progress. */
  public LeaderLoop allowance(Duration newAllowance) {
    return new LeaderLoop(name, rhythm, Optional.of(newAllowance), body);
  }

  /** What the loop does, on a thread of its own. */
  @FunctionalInterface
  public interface Body {
    void run(Leading leading) throws Exception;
  }

  /** When a loop runs again. */
  public sealed interface Rhythm {}

  /** Not again in this term. */
  public record Once() implements Rhythm {}

  /** After each interval. */
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
