package dev.leasehold.kernel.batches;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes batches of commands. A command goes out at once if no other command on its place is in
 * flight and one more batch may go out; otherwise it waits for the next reply and shares a batch
 * with all commands that came meanwhile. There is no added wait: a single caller gets one round
 * trip, a thousand share a few. While the store is busy, only full batches go out beyond the free
 * ones ({@link GatheringLimits.Flight}). A batch that stays in flight for long waits for something
 * at the store, perhaps a locked row: it does not count against the others.
 *
 * <p>Commands on one place are never in two batches in flight, so they take effect in order. A
 * batch that has no answer when its calls time out counts as lost: the callers are told that the
 * outcome is unknown, and a later answer is ignored.
 */
public final class Gatherer<K, C, O> {
  /** A batch that has been in flight for this long does not count any more. */
  public static final long LONG_NANOS = Duration.ofMillis(50).toNanos();

  /** A call without payload takes memory too. */
  public static final long BARE_BYTES = 1024;

  /** How many waiting calls a refused one may be worth looking at, to find withdrawn ones. */
  private static final int CALLS_LOOKED_AT = 64;

  private final CommandKind<K, C, O> kind;
  private final GatheringLimits limits;
  private final Wire<C, O> wire;
  private final Environment environment;

  /** Calls that can go out with the next batch. */
  private final NavigableSet<Call> ready = inOrderOfArrival();

  private final Map<K, Batch> onTheWay = new HashMap<>();

  /** For each place in flight, the calls that wait for its reply. */
  private final Map<K, NavigableSet<Call>> behind = new HashMap<>();

  /** Unanswered calls; all have the same timeout, so the oldest is the next to time out. */
  private final LinkedHashSet<Call> open = new LinkedHashSet<>();

  /** In the order of sending. */
  private final LinkedHashSet<Batch> inFlight = new LinkedHashSet<>();

  /** The size of all calls that are not in flight. */
  private long waitingBytes;

  private long arrivals;

  /** To look at all calls for each one that is refused would cost most when least time is left. */
  private int refusalsBeforeLooking;

  private int refusedInARow;

  private boolean flushing;
  private boolean aging;
  private boolean timing;

  public Gatherer(
      CommandKind<K, C, O> kind, GatheringLimits limits, Wire<C, O> wire, Environment environment) {
    this.kind = kind;
    this.limits = limits;
    this.wire = wire;
    this.environment = environment;
  }

  /** One command and its caller. */
  private final class Call {
    final C command;
    final Optional<K> place;
    final long bytes;
    final Answer.Receiver<O> receiver;
    final long deadlineNanos;
    final long arrival = arrivals++;
    Optional<Batch> batch = Optional.empty();
    boolean done;

    Call(C command, Answer.Receiver<O> receiver) {
      this.command = command;
      this.place = kind.place(command);
      this.bytes = kind.bytes(command);
      this.receiver = receiver;
      this.deadlineNanos = environment.now() + limits.timeout().toNanos();
    }

    boolean isOver() {
      return done || receiver.isGone();
    }

    long bytesInAll() {
      return BARE_BYTES + bytes;
    }
  }

  /** Called in a turn, as every event is. */
  public void submit(C command, Answer.Receiver<O> receiver) {
    Call call = new Call(command, receiver);
    if (!hasRoomFor(call)) {
      finish(call, failed(Certainty.NOT_APPLIED, "too much waits for the store already"));
      return;
    }
    open.add(call);
    waitingBytes += call.bytesInAll();
    if (call.place.isPresent() && onTheWay.containsKey(call.place.get())) {
      waitBehind(call, call.place.get());
    } else {
      ready.add(call);
      flushAfterThisTurn();
    }
    startTimer();
  }

  /** Withdrawn calls are removed when their turn comes, or when room is needed. */
  private boolean hasRoomFor(Call call) {
    long most = limits.waitingBytes() - call.bytesInAll();
    if (waitingBytes > most && refusedInARow >= refusalsBeforeLooking) {
      removeWithdrawn();
      refusedInARow = 0;
      refusalsBeforeLooking = waitingBytes > most ? open.size() / CALLS_LOOKED_AT : 0;
    }
    boolean hasRoom = waitingBytes <= most;
    refusedInARow = hasRoom ? 0 : refusedInARow + 1;
    return hasRoom;
  }

  private void removeWithdrawn() {
    ready.removeIf(this::isOver);
    behind.values().forEach(calls -> calls.removeIf(this::isOver));
    waitingBytes =
        Stream.concat(ready.stream(), behind.values().stream().flatMap(NavigableSet::stream))
            .mapToLong(Call::bytesInAll)
            .sum();
  }

  private boolean isOver(Call call) {
    if (call.isOver()) {
      open.remove(call);
      return true;
    }
    return false;
  }

  /** Calls on one place change from one set to the other, in any order, and keep their own. */
  private NavigableSet<Call> inOrderOfArrival() {
    return new TreeSet<>(Comparator.comparingLong((Call call) -> call.arrival));
  }

  private void waitBehind(Call call, K place) {
    behind.computeIfAbsent(place, p -> inOrderOfArrival()).add(call);
  }

  /** Commands of one event share a batch: a release and the next acquire of its key do. */
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
      while (!ready.isEmpty() && batch.hasRoomFor(ready.first())) {
        put(ready.removeFirst(), batch);
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
    int commands = inFlight.stream().mapToInt(batch -> batch.calls.size()).sum();
    GatheringLimits.Flight flight = limits.flight();
    boolean worthIt = ready.size() >= flight.full() || commands < flight.few();
    return inFlight.size() < flight.most()
        && (batches < flight.free() || (batches < flight.usual() && worthIt));
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

  private void put(Call call, Batch batch) {
    if (isOver(call)) {
      waitingBytes -= call.bytesInAll();
      return;
    }
    if (call.place.isPresent()) {
      K place = call.place.get();
      Batch first = onTheWay.computeIfAbsent(place, p -> batch);
      if (!first.equals(batch)) {
        waitBehind(call, place);
        return;
      }
    }
    waitingBytes -= call.bytesInAll();
    call.batch = Optional.of(batch);
    batch.add(call);
  }

  private final class Batch implements Wire.Reply<O> {
    final List<Call> calls = new ArrayList<>();
    private long bytes;
    private long sentNanos;
    private int unanswered;
    private boolean over;

    boolean hasRoomFor(Call call) {
      return calls.isEmpty()
          || (calls.size() < limits.batch().commands()
              && call.bytes <= limits.batch().bytes() - bytes);
    }

    void add(Call call) {
      calls.add(call);
      bytes += call.bytes;
    }

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
    public void answered(List<O> outcomes) {
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
      calls.forEach(call -> finish(call, Gatherer.this.failed(Certainty.UNKNOWN, why)));
    }

    /** No caller waits for it any more, and others need its room and its places. */
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
      calls.forEach(call -> call.place.ifPresent(this::free));
      flushAfterThisTurn();
    }

    private void free(K place) {
      if (onTheWay.remove(place, this)) {
        Optional.ofNullable(behind.remove(place)).ifPresent(ready::addAll);
      }
    }
  }

  private O failed(Certainty certainty, String why) {
    return kind.failed(certainty, why);
  }

  private void finish(Call call, O outcome) {
    if (!call.done) {
      call.done = true;
      open.remove(call);
      long sentNanos = call.batch.map(batch -> batch.sentNanos).orElse(call.deadlineNanos);
      call.receiver.receive(new Answer<>(outcome, sentNanos));
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

  /** Answers every open call as failed. */
  public void giveUpAll() {
    while (!open.isEmpty()) {
      giveUp(open.getFirst());
    }
  }

  private void giveUp(Call call) {
    if (call.batch.isEmpty()) {
      finish(call, failed(Certainty.NOT_APPLIED, "it could not be sent in time"));
      return;
    }
    finish(call, failed(Certainty.UNKNOWN, "no answer came in time"));
    call.batch.get().giveUpOne();
  }
}
