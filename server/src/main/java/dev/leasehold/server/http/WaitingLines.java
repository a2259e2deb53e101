package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Acquires that wait: a line for each key, in the order of arrival, of which one at a time asks the
 * store. A state machine: every method is called in turns, and so is every answer and timer.
 *
 * <p>The line asks in <em>rounds</em>. One begins when a hint says that the key may be had, and at
 * the latest when the grant that was in the way would have expired. In a round the first asks; if
 * the key is closed to that one, which may be so for it alone, the next does; whoever is told that
 * the key is held ends the round. Whoever waits no longer asks once more, and that is its answer.
 * When the store fails one, it has failed all who wait there.
 */
final class WaitingLines {
  private static final long MILLI = 1_000_000;

  /** Waiters of several servers come at different times after an expiry. */
  private static final long SPREAD_NANOS = 100 * MILLI;

  /** When the key is closed until an operator acts, and when the store cannot be asked. */
  private static final long ASK_AGAIN_NANOS = 1_000 * MILLI;

  /** For those who have not asked, or were answered. */
  private static final Outcome AWAY =
      new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "the store did not answer others");

  private final Asking asking;
  private final Scheduler scheduler;
  private final Executor turns;
  private final RandomGenerator random;
  private final Map<LeaseKey, Line> lines = new HashMap<>();

  /** Changed in turns, and read by whoever counts. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The way to the store; the answer may come on any thread. */
  interface Asking {
    void ask(Command.Acquire acquire, Consumer<Outcome> answer);
  }

  WaitingLines(Asking asking, Scheduler scheduler, Executor turns, RandomGenerator random) {
    this.asking = asking;
    this.scheduler = scheduler;
    this.turns = turns;
    this.random = random;
  }

  /** Somebody in a line, who can leave it. */
  final class Waiter {
    private final Command.Acquire acquire;
    private final Consumer<Outcome> taker;
    private Optional<Scheduler.Timer> patience = Optional.empty();
    private Optional<Outcome> insteadOfHeld = Optional.empty();
    private boolean asked;
    private boolean lastTime;
    private boolean over;

    private Waiter(Command.Acquire acquire, Consumer<Outcome> taker) {
      this.acquire = acquire;
      this.taker = taker;
    }

    /** Without an answer; what it has asked may still be granted, and is to be abandoned. */
    void leave() {
      if (!over) {
        over = true;
        waiting.decrementAndGet();
        patience.ifPresent(Scheduler.Timer::cancel);
        line(acquire.key()).remove(this);
      }
    }

    private void end(Outcome outcome) {
      if (!over) {
        leave();
        taker.accept(outcome);
      }
    }

    private void losePatience() {
      lastTime = true;
      if (!over && !asked) {
        line(acquire.key()).ask(this);
      }
    }
  }

  int waiting() {
    return waiting.get();
  }

  Waiter join(Command.Acquire acquire, long waitNanos, Consumer<Outcome> taker) {
    Waiter waiter = new Waiter(acquire, taker);
    waiting.incrementAndGet();
    waiter.patience = Optional.of(after(waitNanos, waiter::losePatience));
    line(acquire.key()).join(waiter);
    return waiter;
  }

  /** The key may be had. */
  void hint(LeaseKey key) {
    Line line = lines.get(key);
    if (line != null) {
      line.beginRound();
    }
  }

  /** Any key may be had. */
  void hintAll() {
    new ArrayList<>(lines.values()).forEach(Line::beginRound);
  }

  /**
   * Everybody leaves: with this answer, or with what the store says to those who are asking it,
   * unless that is to wait on.
   */
  void endAll(Outcome outcome) {
    for (Line line : new ArrayList<>(lines.values())) {
      for (Waiter waiter : List.copyOf(line.waiters)) {
        if (waiter.asked) {
          waiter.lastTime = true;
          waiter.insteadOfHeld = Optional.of(outcome);
        } else {
          waiter.end(outcome);
        }
      }
    }
  }

  private Line line(LeaseKey key) {
    return lines.computeIfAbsent(key, Line::new);
  }

  private Scheduler.Timer after(long nanos, Runnable event) {
    return scheduler.schedule(() -> turns.execute(event), nanos);
  }

  private final class Line {
    private final LeaseKey key;
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** Who is still to ask in this round. */
    private final Deque<Waiter> round = new ArrayDeque<>();

    private boolean roundOn;
    private boolean anotherRound;
    private boolean lastSaidClosed;
    private Optional<Scheduler.Timer> timer = Optional.empty();

    Line(LeaseKey key) {
      this.key = key;
    }

    void join(Waiter waiter) {
      boolean first = waiters.isEmpty();
      waiters.add(waiter);
      if (first || lastSaidClosed) {
        beginRound();
      }
    }

    void remove(Waiter waiter) {
      waiters.remove(waiter);
      if (waiters.isEmpty()) {
        timer.ifPresent(Scheduler.Timer::cancel);
        lines.remove(key);
      }
    }

    void beginRound() {
      if (roundOn) {
        anotherRound = true;
        return;
      }
      timer.ifPresent(Scheduler.Timer::cancel);
      timer = Optional.empty();
      roundOn = true;
      round.addAll(waiters);
      goOn();
    }

    private void goOn() {
      Waiter next = round.pollFirst();
      while (next != null && (next.over || next.asked)) {
        next = round.pollFirst();
      }
      if (next == null) {
        endRound(ASK_AGAIN_NANOS);
      } else {
        ask(next);
      }
    }

    private void endRound(long againNanos) {
      round.clear();
      roundOn = false;
      if (waiters.isEmpty()) {
        return;
      }
      if (anotherRound) {
        anotherRound = false;
        beginRound();
      } else if (timer.isEmpty()) {
        timer = Optional.of(after(againNanos, this::timeIsUp));
      }
    }

    private void timeIsUp() {
      timer = Optional.empty();
      beginRound();
    }

    void ask(Waiter waiter) {
      waiter.asked = true;
      asking.ask(waiter.acquire, outcome -> turns.execute(() -> answered(waiter, outcome)));
    }

    /** If all were to find it out for themselves, one after the other, the last would wait long. */
    private void storeIsAway() {
      for (Waiter waiter : List.copyOf(waiters)) {
        if (!waiter.asked) {
          waiter.end(AWAY);
        }
      }
      goOn();
    }

    private void answered(Waiter waiter, Outcome outcome) {
      waiter.asked = false;
      lastSaidClosed = outcome instanceof Outcome.Closed;
      if (waiter.lastTime) {
        waiter.end(
            outcome instanceof Outcome.Held ? waiter.insteadOfHeld.orElse(outcome) : outcome);
      }
      switch (outcome) {
        case Outcome.Held held ->
            endRound(held.remainingMillis() * MILLI + random.nextLong(SPREAD_NANOS));
        case Outcome.Closed closed -> goOn();
        case Outcome.Failed failed -> {
          waiter.end(outcome);
          storeIsAway();
        }
        default -> {
          // Granted, or something that no waiting helps against.
          waiter.end(outcome);
          if (outcome instanceof Outcome.Granted) {
            endRound(ASK_AGAIN_NANOS);
          } else {
            goOn();
          }
        }
      }
    }
  }
}
