package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes histories that the protocol allows: clients on the rules themselves, step by step, with
 * lost and late answers, retries, pauses, kills, stepped clocks, purges and restored backups.
 */
final class LegalRun {
  private static final int PROCESSES = 8;

  /** No sender repeats a command later than this after its first attempt. */
  static final long TIMEOUT_MILLIS = Duration.ofMinutes(5).toMillis();

  private static final long START_MILLIS = 1_800_000_000_000L;

  /** How long a run is, over how many keys, and after how many steps on average a fault comes. */
  record Plan(int steps, int keys, int faultEvery) {
    /** Then the clock only moves forward, and what it shows is part of the history. */
    static final int NO_FAULTS = Integer.MAX_VALUE;
  }

  final SplittableRandom random;
  final List<LeaseKey> keys = new ArrayList<>();
  final LoggingStore store;
  final EventLog events = new EventLog();
  final List<ModelClient> clients = new ArrayList<>();
  private final Map<LeaseKey, Token> marks = new HashMap<>();
  private final List<Sent> late = new ArrayList<>();
  private final Plan plan;
  private int started;
  private long positions;
  long nanos;

  /** A command on its way, and the store's time when it was first sent. */
  record Sent(Command command, long firstMillis) {}

  private LegalRun(SplittableRandom random, Plan plan) {
    this.random = random;
    this.plan = plan;
    for (int i = 0; i < plan.keys(); i++) {
      keys.add(LeaseKey.of("lock", "key-" + i));
    }
    this.store = new LoggingStore(keys, START_MILLIS);
    for (int i = 0; i < PROCESSES; i++) {
      clients.add(newClient());
    }
  }

  static List<Event> generate(SplittableRandom random, Plan plan) {
    LegalRun run = new LegalRun(random, plan);
    for (int i = 0; i < plan.steps(); i++) {
      run.step();
    }
    List<Event> all = new ArrayList<>(run.events.events());
    all.addAll(run.store.log());
    return all;
  }

  private ModelClient newClient() {
    started++;
    return new ModelClient(this, "client-" + started);
  }

  private void step() {
    nanos += 1 + random.nextInt(1_000);
    store.clockMillis += random.nextInt(80);
    if (plan.faultEvery() == Plan.NO_FAULTS) {
      events.add(new Event.ClockShown(nanos, store.clockMillis));
    }
    if (random.nextInt(plan.faultEvery()) == 0) {
      fault();
    } else if (!late.isEmpty() && random.nextInt(20) == 0) {
      arrive(late.remove(random.nextInt(late.size())));
    } else {
      clients.get(random.nextInt(clients.size())).step();
    }
  }

  void arriveLater(Sent sent) {
    late.add(sent);
  }

  private void arrive(Sent sent) {
    if (store.clockMillis - sent.firstMillis() < TIMEOUT_MILLIS) {
      store.apply(sent.command());
    }
  }

  private void fault() {
    switch (random.nextInt(9)) {
      case 0 -> stepClock(random.nextInt(60_000));
      case 1 -> stepClock(-random.nextInt(60_000));
      case 2 -> events.add(new Fault.StoreRestarted(nanos));
      case 3 -> clients.set(random.nextInt(clients.size()), newClient());
      case 4, 5, 6 -> store.takeBackup(nanos);
      case 7 -> store.rollBack(nanos).forEach(events::add);
      default -> quietHour();
    }
  }

  private void stepClock(long byMillis) {
    store.clockMillis += byMillis;
    events.add(new Fault.ClockStepped(nanos, byMillis));
  }

  /** Long enough for keys to be purged; whatever was on its way is given up. */
  private void quietHour() {
    late.clear();
    clients.replaceAll(client -> newClient());
    stepClock(Duration.ofHours(1).toMillis());
    keys.forEach(key -> store.apply(new Command.Purge(key, 0)));
  }

  /** A change at a target that keeps a mark of its own, outside the store. */
  void change(LeaseKey key, Token token) {
    boolean stale = marks.containsKey(key) && token.isBelow(marks.get(key));
    if (!stale) {
      marks.put(key, token);
    }
    TargetEvent.Action done =
        random.nextBoolean() ? new TargetEvent.Changed() : new TargetEvent.Admitted();
    tell(key, token, stale ? new TargetEvent.Refused() : done);
  }

  void seal(LeaseKey key, Token token) {
    marks.merge(key, token, (old, now) -> now.isAbove(old) ? now : old);
    tell(key, token, new TargetEvent.Sealed());
  }

  void changeAtEffect(LeaseKey key, Token token) {
    if (!store.changeAtEffect(key, token, nanos)) {
      tell(key, token, new TargetEvent.Refused());
    }
  }

  private void tell(LeaseKey key, Token token, TargetEvent.Action action) {
    positions++;
    events.add(new TargetEvent("mark", key, token, positions, nanos, action));
  }
}
