package dev.leasehold.store.jdbc.interleaving;

import dev.leasehold.store.jdbc.interleaving.Actor.Arrival;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One run of some actors, in an order that is chosen move by move. */
final class Interleaving {
  private static final String DEADLOCK_DETECTED = "40P01";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int MOST_MOVES = 500;

  /** This number of looks, at least a millisecond apart, without an arrival or a lock wait. */
  private static final int MOST_LOOKS = 20_000;

  private final Map<Character, Actor> actors = new TreeMap<>();
  private final LockTable locks;
  private final boolean mayTimeOut;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

  private final Map<Character, Arrival.AtStep> ready = new TreeMap<>();
  private final Map<Character, Arrival.AtStep> running = new TreeMap<>();
  private final Set<Character> unstarted = new TreeSet<>();
  private final Map<Character, Set<Integer>> blocked = new TreeMap<>();
  private final Map<Character, Throwable> failures = new TreeMap<>();

  /** The actors that wait, according to the trace. */
  private final Set<Character> waited = new TreeSet<>();

  private final List<String> trace = new ArrayList<>();
  private Optional<Character> last = Optional.empty();

  /**
   * @param mayTimeOut whether a wait for a lock may be ended at any time, as by a lock timeout
   */
  Interleaving(Collection<Actor> actors, LockTable locks, boolean mayTimeOut) {
    actors.forEach(actor -> this.actors.put(actor.name(), actor));
    this.locks = locks;
    this.mayTimeOut = mayTimeOut;
  }

  /** Chooses the next of these moves, of which there is at least one. */
  interface Chooser {
    Move choose(Choice choice);
  }

  /**
   * The possible moves.
   *
   * @param moves the actor that moved last comes first, if it can continue
   * @param canGoOn whether it can
   */
  record Choice(List<Move> moves, boolean canGoOn) {}

  void run(Chooser chooser) throws SQLException, InterruptedException {
    boolean ended = false;
    try {
      runAll(chooser);
      ended = true;
    } finally {
      if (!ended) {
        abandon();
      }
    }
  }

  /** Releases all locks, so that another scene can run on the same connections. */
  private void abandon() throws SQLException, InterruptedException {
    actors.values().forEach(Actor::abandon);
    for (int looks = 0; looks < MOST_LOOKS && !(ready.isEmpty() && running.isEmpty()); looks++) {
      for (Arrival.AtStep at : running.values()) {
        locks.cancel(at.backend());
      }
      ready.clear();
      Arrival next = arrivals.poll(1, TimeUnit.MILLISECONDS);
      if (next instanceof Arrival.AtStep at) {
        at.actor().abandon();
      } else if (next != null) {
        running.remove(next.actor().name());
      }
    }
  }

  private void runAll(Chooser chooser) throws SQLException, InterruptedException {
    for (Actor actor : actors.values()) {
      unstarted.add(actor.name());
      actor.start(arrivals);
    }
    settle();
    for (Choice choice = choice(); !choice.moves().isEmpty(); choice = choice()) {
      if (trace.size() > MOST_MOVES) {
        throw new AssertionError("no end of moves:\n" + trace());
      }
      make(chooser.choose(choice));
      settle();
    }
  }

  private Choice choice() {
    List<Move> moves = new ArrayList<>();
    boolean canGoOn = last.isPresent() && ready.containsKey(last.get());
    if (canGoOn) {
      moves.add(new Move.Step(last.get()));
    }
    for (char name : ready.keySet()) {
      if (!canGoOn || name != last.get()) {
        moves.add(new Move.Step(name));
      }
    }
    boolean deadlock = moves.isEmpty();
    if (deadlock || mayTimeOut) {
      String state = deadlock ? DEADLOCK_DETECTED : LOCK_NOT_AVAILABLE;
      blocked.keySet().forEach(name -> moves.add(new Move.End(name, state)));
    }
    return new Choice(moves, canGoOn);
  }

  private void make(Move move) throws SQLException {
    char name = move.actor();
    Actor actor = actorOf(name);
    last = Optional.of(name);
    switch (move) {
      case Move.Step step -> {
        Arrival.AtStep at = ready.remove(name);
        if (at == null) {
          throw new AssertionError(name + " is not ready:\n" + trace());
        }
        trace.add(name + "  " + at.step());
        running.put(name, at);
        actor.permit();
      }
      case Move.End end -> {
        Arrival.AtStep at = running.get(name);
        if (at == null) {
          throw new AssertionError(name + " does not wait:\n" + trace());
        }
        trace.add(name + "  " + at.step() + " is ended with " + end.sqlState());
        actor.endWith(end.sqlState());
        locks.cancel(at.backend());
        awaitUnblocked(name);
      }
    }
  }

  private Actor actorOf(char name) {
    Actor actor = actors.get(name);
    if (actor == null) {
      throw new AssertionError("no actor " + name);
    }
    return actor;
  }

  /** A cancelled backend stays in the lock table until it has processed the cancel. */
  private void awaitUnblocked(char name) {
    blocked.remove(name);
    try {
      Arrival arrival = arrivals.poll(MOST_LOOKS, TimeUnit.MILLISECONDS);
      if (arrival == null) {
        throw new AssertionError(name + " cannot be ended:\n" + trace());
      }
      take(arrival);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Until every actor is before a step, waits for a lock that another actor has, or has ended. */
  private void settle() throws SQLException, InterruptedException {
    blocked.clear();
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
        take(next);
      }
      boolean started = unstarted.isEmpty();
      if (started && (running.isEmpty() || (looks > 0 && allWait()))) {
        return;
      }
      Arrival next = arrivals.poll(1, TimeUnit.MILLISECONDS);
      if (next != null) {
        take(next);
      }
    }
    throw new AssertionError("neither an answer nor a lock that is waited for:\n" + trace());
  }

  private void take(Arrival arrival) {
    char name = arrival.actor().name();
    unstarted.remove(name);
    if (waited.remove(name)) {
      trace.add("    " + name + " goes on");
    }
    running.remove(name);
    switch (arrival) {
      case Arrival.AtStep at -> ready.put(name, at);
      case Arrival.Ended ended -> {
        trace.add("    " + name + " ends");
        ended.failure().ifPresent(failure -> failures.put(name, failure));
      }
    }
  }

  private boolean allWait() throws SQLException {
    Map<Integer, Character> backends = new HashMap<>();
    running.forEach((name, at) -> backends.put(at.backend(), name));
    Map<Integer, Set<Integer>> waiting = locks.waiting(backends.keySet());
    Set<Integer> known = knownBackends();
    boolean all =
        waiting.size() == running.size()
            && waiting.values().stream().allMatch(blockers -> known.containsAll(blockers));
    if (all) {
      waiting.forEach((backend, blockers) -> noteWaiting(backends, backend, blockers));
    }
    return all;
  }

  private void noteWaiting(
      Map<Integer, Character> backends, Integer backend, Set<Integer> blockers) {
    char name = Objects.requireNonNull(backends.get(backend));
    blocked.put(name, blockers);
    if (waited.add(name)) {
      trace.add("    " + name + " waits for a lock");
    }
  }

  private Set<Integer> knownBackends() {
    Set<Integer> known =
        ready.values().stream().map(Arrival.AtStep::backend).collect(Collectors.toSet());
    running.values().forEach(at -> known.add(at.backend()));
    return known;
  }

  /** The failures of the actors' work, by name. */
  Map<Character, Throwable> failures() {
    return failures;
  }

  String trace() {
    return String.join("\n", trace);
  }
}
