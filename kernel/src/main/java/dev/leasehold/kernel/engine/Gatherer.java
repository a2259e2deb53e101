package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes batches of what is in flight. A command goes out at once if its key is not on its way and
 * there is room for one more batch; otherwise it waits for the next reply and shares a batch with
 * all that came meanwhile. There is no added wait: one caller alone gets one round trip, a thousand
 * share a few. Once the store is busy, only full batches go out beyond the first two: many small
 * ones cost it more than those in them gain. A batch that stays out for long waits for something at
 * the store, a locked row perhaps: it does not count against the others.
 *
 * <p>Commands of one key are never in two batches on their way, so they take effect in order. A
 * batch that is not answered before its calls lose patience counts as lost: they are told that the
 * outcome is unknown, and an answer that comes later is ignored.
 */
public final class Gatherer {
  static final int MAX_BATCH = 1_000;
  static final int MAX_BATCHES = 4;

  /** Maximum number of batches in flight, those that stay out for long included. */
  static final int MAX_IN_FLIGHT = 64;

  /** A batch that is out for so long does not count any more. */
  static final long LONG_NANOS = Duration.ofMillis(50).toNanos();

  /** So many may be on their way whatever is in them. */
  static final int FREE_BATCHES = 2;

  /** What makes a batch beyond those worth its statements and its commit. */
  static final int FULL_BATCH = 32;

  /** While no more keys are on their way the store is not busy, and nobody has to wait. */
  static final int FEW = 8;

  private final Wire wire;
  private final Environment environment;
  private final long patienceNanos;

  /** What can go out with the next batch, in the order of arrival. */
  private final Deque<Call> ready = new ArrayDeque<>();

  private final Map<LeaseKey, Batch> onTheWay = new HashMap<>();

  /** For a key on its way, what waits until it is back. */
  private final Map<LeaseKey, Deque<Call>> behind = new HashMap<>();

  /** Unanswered calls; all have the same patience, so the oldest is the next to lose it. */
  private final LinkedHashSet<Call> open = new LinkedHashSet<>();

  /** In the order of their sending. */
  private final LinkedHashSet<Batch> inFlight = new LinkedHashSet<>();

  private boolean flushing;
  private boolean aging;
  private boolean timing;

  public Gatherer(Wire wire, Environment environment, long patienceNanos) {
    this.wire = wire;
    this.environment = environment;
    this.patienceNanos = patienceNanos;
  }

  /** One command and who waits for it. */
  private static final class Call {
    final Command command;
    final Answer.Taker taker;
    final long deadlineNanos;
    Optional<Batch> batch = Optional.empty();
    boolean done;

    Call(Command command, Answer.Taker taker, long deadlineNanos) {
      this.command = command;
      this.taker = taker;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /** In a turn, as every event is. */
  public void submit(Command command, Answer.Taker taker) {
    Call call = new Call(command, taker, environment.now() + patienceNanos);
    open.add(call);
    if (onTheWay.containsKey(command.key())) {
      waitBehind(call);
    } else {
      ready.addLast(call);
      flushAfterThisTurn();
    }
    startTimer();
  }

  private void waitBehind(Call call) {
    behind.computeIfAbsent(call.command.key(), key -> new ArrayDeque<>()).addLast(call);
  }

  /** What one event submits shares a batch: a release and the next acquire of its key do. */
  private void flushAfterThisTurn() {
    if (!flushing) {
      flushing = true;
      environment
          .turns()
          .execute(
              () -> {
                flushing = false;
                flush();
              });
    }
  }

  private void flush() {
    while (isRoom() && !ready.isEmpty()) {
      Batch batch = new Batch();
      while (batch.calls.size() < MAX_BATCH && !ready.isEmpty()) {
        place(ready.removeFirst(), batch);
      }
      if (!batch.calls.isEmpty()) {
        batch.send();
      }
    }
    if (!ready.isEmpty() && !aging) {
      flushWhenOneIsOutForLong();
    }
  }

  private boolean isRoom() {
    long now = environment.now();
    long batches = inFlight.stream().filter(batch -> !batch.isOutForLong(now)).count();
    boolean worthIt = ready.size() >= FULL_BATCH || onTheWay.size() < FEW;
    return inFlight.size() < MAX_IN_FLIGHT
        && (batches < FREE_BATCHES || (batches < MAX_BATCHES && worthIt));
  }

  private void flushWhenOneIsOutForLong() {
    long now = environment.now();
    Optional<Batch> oldest =
        inFlight.stream().filter(batch -> !batch.isOutForLong(now)).findFirst();
    if (oldest.isPresent()) {
      aging = true;
      environment.after(
          LONG_NANOS - (now - oldest.get().sentNanos),
          () -> {
            aging = false;
            flush();
          });
    }
  }

  private void place(Call call, Batch batch) {
    if (call.done) {
      return;
    }
    Batch first = onTheWay.computeIfAbsent(call.command.key(), key -> batch);
    if (!first.equals(batch)) {
      waitBehind(call);
      return;
    }
    call.batch = Optional.of(batch);
    batch.calls.add(call);
  }

  private final class Batch implements Wire.Reply {
    final List<Call> calls = new ArrayList<>();
    private long sentNanos;
    private int unanswered;
    private boolean over;

    boolean isOutForLong(long nowNanos) {
      return nowNanos - sentNanos >= LONG_NANOS;
    }

    void send() {
      unanswered = calls.size();
      sentNanos = environment.now();
      inFlight.add(this);
      wire.send(calls.stream().map(call -> call.command).toList(), this);
    }

    @Override
    public void answered(List<Outcome> outcomes) {
      if (outcomes.size() != calls.size()) {
        failed("the store answered " + outcomes.size() + " of " + calls.size() + " commands");
        return;
      }
      end();
      for (int i = 0; i < calls.size(); i++) {
        finish(calls.get(i), outcomes.get(i));
      }
    }

    @Override
    public void failed(String why) {
      end();
      calls.forEach(call -> finish(call, new Outcome.Failed(Certainty.UNKNOWN, why)));
    }

    /** When nobody waits for it any more, its place and its keys are needed by others. */
    void giveUpOne() {
      unanswered--;
      if (unanswered == 0) {
        end();
      }
    }

    private void end() {
      if (over) {
        return;
      }
      over = true;
      inFlight.remove(this);
      for (Call call : calls) {
        if (onTheWay.remove(call.command.key(), this)) {
          Optional.ofNullable(behind.remove(call.command.key())).ifPresent(ready::addAll);
        }
      }
      flushAfterThisTurn();
    }
  }

  private void finish(Call call, Outcome outcome) {
    if (!call.done) {
      call.done = true;
      open.remove(call);
      long sentNanos = call.batch.map(batch -> batch.sentNanos).orElse(call.deadlineNanos);
      call.taker.take(new Answer(outcome, sentNanos));
    }
  }

  private void startTimer() {
    if (!timing && !open.isEmpty()) {
      timing = true;
      environment.after(open.getFirst().deadlineNanos - environment.now(), this::giveUpOverdue);
    }
  }

  private void giveUpOverdue() {
    timing = false;
    long now = environment.now();
    while (!open.isEmpty() && open.getFirst().deadlineNanos - now <= 0) {
      giveUp(open.getFirst());
    }
    startTimer();
  }

  /** Nothing is waited for any more. */
  public void giveUpAll() {
    while (!open.isEmpty()) {
      giveUp(open.getFirst());
    }
  }

  private void giveUp(Call call) {
    if (call.batch.isEmpty()) {
      finish(call, new Outcome.Failed(Certainty.NOT_APPLIED, "it could not be sent in time"));
      return;
    }
    finish(call, new Outcome.Failed(Certainty.UNKNOWN, "no answer came in time"));
    call.batch.get().giveUpOne();
  }
}
