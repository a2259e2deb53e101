package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.batches.Gatherer;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Sends a command again, under its request id, until the store has given a definite outcome. The
 * request id makes that safe: when an answer is lost, the process asks again and never guesses.
 *
 * <p>Commands that are due again at about the same time are sent in one event, and so share a
 * batch: after an outage, a process may have to give back thousands of leases.
 */
final class Delivery {
  /** No command is repeated later than this after its first attempt. */
  static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

  /** A repeat may be sent this much early, together with others. */
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();

  private static final long FIRST_BACKOFF = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_BACKOFF = Duration.ofSeconds(10).toNanos();

  private final Gatherer<LeaseKey, Command, Outcome> gatherer;
  private final Environment environment;
  private final List<Round> rounds = new ArrayList<>();
  private final Set<PendingCommand> unanswered = Collections.newSetFromMap(new IdentityHashMap<>());
  private Runnable afterEach = () -> {};

  Delivery(Gatherer<LeaseKey, Command, Outcome> gatherer, Environment environment) {
    this.gatherer = gatherer;
    this.environment = environment;
  }

  /** Passes on the first definite outcome or, when the time is up, the last indefinite one. */
  void deliver(Command command, long forNanos, Answer.Receiver<Outcome> receiver) {
    long deadline = environment.now() + Math.min(forNanos, LONGEST_NANOS);
    PendingCommand pending = new PendingCommand(command, deadline, receiver);
    unanswered.add(pending);
    attempt(pending, 0);
  }

  boolean isIdle() {
    return unanswered.isEmpty();
  }

  /** Whether a command for this key is still unanswered. */
  boolean hasUnanswered(LeaseKey key) {
    return unanswered.stream().anyMatch(pending -> pending.command().key().equals(key));
  }

  /** Sets a task that runs after each delivery. */
  void afterEach(Runnable task) {
    this.afterEach = task;
  }

  private record PendingCommand(
      Command command, long deadlineNanos, Answer.Receiver<Outcome> receiver) {
    boolean isLate(long nowNanos) {
      return nowNanos - deadlineNanos >= 0;
    }
  }

  private void attempt(PendingCommand pending, int failures) {
    gatherer.submit(pending.command(), answer -> take(pending, failures, answer));
  }

  private void take(PendingCommand pending, int failures, Answer<Outcome> answer) {
    long backoff =
        environment.upTo(Math.min(LONGEST_BACKOFF, FIRST_BACKOFF << Math.min(failures, 10)));
    boolean definite = !(answer.outcome() instanceof Outcome.Failed);
    if (definite || pending.isLate(environment.now() + backoff)) {
      finish(pending, answer);
    } else {
      later(backoff, () -> tryAgain(pending, failures + 1, answer));
    }
  }

  /** Commands that are sent again in one event. */
  private record Round(long atNanos, List<Runnable> repeats) {
    boolean isLittleBefore(long dueNanos) {
      return dueNanos - atNanos >= 0 && dueNanos - atNanos <= WINDOW_NANOS;
    }
  }

  private void later(long delayNanos, Runnable repeat) {
    long due = environment.now() + delayNanos;
    for (Round round : rounds) {
      if (round.isLittleBefore(due)) {
        round.repeats().add(repeat);
        return;
      }
    }
    Round round = new Round(due, new ArrayList<>(List.of(repeat)));
    rounds.add(round);
    environment.after(delayNanos, () -> begin(round));
  }

  private void begin(Round round) {
    rounds.remove(round);
    round.repeats().forEach(Runnable::run);
  }

  /** A process that was suspended meanwhile may be past the deadline. */
  private void tryAgain(PendingCommand pending, int failures, Answer<Outcome> last) {
    if (pending.isLate(environment.now())) {
      finish(pending, last);
    } else {
      attempt(pending, failures);
    }
  }

  private void finish(PendingCommand pending, Answer<Outcome> answer) {
    unanswered.remove(pending);
    pending.receiver().receive(answer);
    afterEach.run();
  }
}
