package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseEvent.Waiting.Cause;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Acquires that wait for a held key, each under the instance and the request id of its own caller.
 * Each key has a line in the order of arrival, and one waiter of it at a time asks the store. Every
 * method, answer and timer runs in turns. Waiters of one process that share an instance, and that
 * keep what they win, wait in a {@link Contention}.
 *
 * <p>A line asks in <em>rounds</em>. A round begins when a hint says that the key may be free, or
 * at the latest when the current grant would have expired. The first waiter asks. If the key is
 * closed to it, the next one asks, because the closure may concern the first alone. An answer that
 * the key is held ends the round. A waiter whose time is up asks once more, and returns that
 * answer. If the store fails one waiter, all waiters of the line fail.
 */
public final class WaitingLines {
  private static final long MILLI = 1_000_000;

  /** How far the waiters of several processes spread after an expiry. */
  private static final long SPREAD_NANOS = 100 * MILLI;

  /** How soon a line asks again while its key is closed, or if no hint ends a grant. */
  private static final long ASK_AGAIN_NANOS = 1_000 * MILLI;

  /** The answer to waiters that have not asked when the store fails another one. */
  private static final Outcome AWAY =
      new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "the store did not answer others");

  private final Asking asking;
  private final Environment environment;
  private final Map<LeaseKey, Line> lines = new HashMap<>();

  /** Changed in turns, and read by any thread. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The answer to every waiter from then on. */
  private Optional<Outcome> ended = Optional.empty();

  /** Sends an acquire to the store; the answer may come on any thread. */
  public interface Asking {
    void ask(Command.Acquire acquire, Consumer<Outcome> answer);
  }

  public WaitingLines(Asking asking, Environment environment) {
    this.asking = asking;
    this.environment = environment;
  }

  /** One acquire in a line; its caller can leave the line. */
  public final class Waiter {
    private final Command.Acquire acquire;
    private final Consumer<Outcome> receiver;
    private final LeaseObserver observer;
    private Optional<Scheduler.Timer> timeout = Optional.empty();
    private Optional<Outcome> insteadOfHeld = Optional.empty();
    private boolean asked;
    private boolean lastTime;
    private boolean over;

    private Waiter(Command.Acquire acquire, Consumer<Outcome> receiver, LeaseObserver observer) {
      this.acquire = acquire;
      this.receiver = receiver;
      this.observer = observer;
    }

    /** Leaves without an answer. The caller abandons its request, which may still be granted. */
    public void leave() {
      if (!over) {
        over = true;
        waiting.decrementAndGet();
        timeout.ifPresent(Scheduler.Timer::cancel);
        line(acquire.key()).remove(this);
      }
    }

    private void end(Outcome outcome) {
      if (!over) {
        leave();
        receiver.accept(outcome);
      }
    }

    private void waits(Cause cause, String why) {
      if (!over) {
        observer.observed(new LeaseEvent.Waiting(acquire.key(), cause, why));
      }
    }

    private void timeOut() {
      lastTime = true;
      if (!over && !asked) {
        line(acquire.key()).ask(this);
      }
    }
  }

  public int waiting() {
    return waiting.get();
  }

  /** The observer is told of each answer that leaves the acquire waiting. */
  public Waiter join(
      Command.Acquire acquire, long waitNanos, Consumer<Outcome> receiver, LeaseObserver observer) {
    Waiter waiter = new Waiter(acquire, receiver, observer);
    if (ended.isPresent()) {
      waiter.over = true;
      receiver.accept(ended.get());
      return waiter;
    }
    waiting.incrementAndGet();
    waiter.timeout = Optional.of(environment.after(waitNanos, waiter::timeOut));
    line(acquire.key()).join(waiter);
    return waiter;
  }

  /** The key may be free. */
  public void hint(LeaseKey key) {
    Line line = lines.get(key);
    if (line != null) {
      line.beginRound();
    }
  }

  /** Any key may be free. */
  public void hintAll() {
    new ArrayList<>(lines.values()).forEach(Line::beginRound);
  }

  /**
   * Ends every waiter, present and later, with this answer. A waiter whose request is in flight
   * gets the store's answer instead, unless that is to wait.
   */
  public void endAll(Outcome outcome) {
    ended = Optional.of(outcome);
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

  private final class Line {
    private final LeaseKey key;
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** The waiters that have yet to ask in this round. */
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
        timer = Optional.of(environment.after(againNanos, this::timeIsUp));
      }
    }

    private void timeIsUp() {
      timer = Optional.empty();
      beginRound();
    }

    void ask(Waiter waiter) {
      waiter.asked = true;
      asking.ask(
          waiter.acquire, outcome -> environment.turns().execute(() -> answered(waiter, outcome)));
    }

    /** Ends all waiters at once: if each one asked the store, the last would wait long. */
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
        case Outcome.Held held -> {
          waiter.waits(Cause.HELD, "held by " + held.by());
          endRound(held.remainingMillis() * MILLI + environment.upTo(SPREAD_NANOS));
        }
        case Outcome.Closed closed -> {
          waiter.waits(Cause.CLOSED, closed.reason());
          goOn();
        }
        case Outcome.Failed failed -> {
          waiter.end(outcome);
          storeIsAway();
        }
        default -> {
          // Granted, or an answer that no waiting would change.
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
