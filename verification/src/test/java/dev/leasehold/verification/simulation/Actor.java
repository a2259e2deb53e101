package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.engine.AcquireRequest;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.engine.Verdict;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Simulated user code: acquires a key, seals the fenced target, reads it, asks whether the lease
 * may still be trusted, writes, and repeats that for a while; then it releases the lease or hands
 * it over.
 */
final class Actor implements HeldLeaseView.User {
  private static final List<Integer> TTL_SECONDS = List.of(2, 3, 5, 10, 20, 30, 30);
  private static final long ACK_TIMEOUT = 3 * World.SECOND;

  private final World world;
  private final SimProcess process;
  private final ActorContext around;
  private final Habit habit;
  private @Nullable HeldLeaseView view;
  private boolean waiting;
  private boolean stopping;
  private int rounds;

  /** Increases with every step, so that events of an earlier step are ignored. */
  private int step;

  /** What an actor does: works on shared keys, or only keeps one of its own. */
  sealed interface Habit {}

  /** Contends, and works. */
  record Works() implements Habit {}

  /** Keeps a key without contenders, for a while at a time. */
  record Keeps(LeaseKey key) implements Habit {}

  /** Asks for keys without pause until this time, and releases at once what it gets. */
  record Polls(List<LeaseKey> keys, long untilNanos) implements Habit {}

  /** Inherits one lease, works, and ends. */
  record Inherits(AcquireRequest given, Token token) implements Habit {}

  Actor(World world, SimProcess process, ActorContext around, Habit habit) {
    this.world = world;
    this.process = process;
    this.around = around;
    this.habit = habit;
  }

  void begin() {
    long quiet = around.neighbours().quietUntilNanos() - world.now();
    if (process.isClosing()) {
      return;
    }
    if (quiet > 0) {
      process.after(quiet + world.between(0, World.SECOND), this::begin);
      return;
    }
    stopping = false;
    step++;
    switch (habit) {
      case Works works when world.chance(0.2) ->
          readThenAcquire(wanted(pick(around.keys()), pick(TTL_SECONDS)));
      case Works works -> acquire(wanted(pick(around.keys()), pick(TTL_SECONDS)));
      case Keeps keeps -> acquire(wanted(keeps.key(), 2));
      case Polls polls -> poll(pick(polls.keys()));
      case Inherits inherits -> inherit(inherits);
    }
  }

  /** Not if another actor of the process asks, because the wire would show both. */
  private void poll(LeaseKey key) {
    if (process.contention(key).interested == 0) {
      acquire(wanted(key, 2));
    } else {
      later();
    }
  }

  private <T> T pick(List<T> from) {
    return from.get(world.random().nextInt(from.size()));
  }

  private AcquireRequest wanted(LeaseKey key, int ttlSeconds) {
    Duration ttl = Duration.ofSeconds(ttlSeconds);
    Duration grace = ttl.dividedBy(world.chance(0.5) ? 10 : 5);
    boolean limited = habit instanceof Works && world.chance(0.25);
    StallLimit limit =
        limited
            ? new StallLimit(ttl.toMillis() / 2 + world.between(0, ttl.toMillis()))
            : StallLimit.NONE;
    boolean keeps = habit instanceof Works && world.chance(0.15);
    long first = keeps ? world.between(ttl.toMillis(), 3 * ttl.toMillis()) : ttl.toMillis();
    Terms terms = new Terms(HolderInfo.named(process.name()), first, limit);
    Timing timing = Timing.of(ttl, grace, SimStore.LIMITS);
    boolean ends = habit instanceof Works && world.chance(0.15);
    long longest = ends ? 2 * grace.toNanos() + world.between(0, ttl.toNanos()) : 0;
    return new AcquireRequest(
        key,
        process.instance(),
        terms,
        Optional.empty(),
        ends ? timing.atMost(Duration.ofNanos(longest)) : timing);
  }

  /** Takes over only from the grant that it has read; others may come in between. */
  private void readThenAcquire(AcquireRequest wanted) {
    world.after(
        world.latency(),
        () -> {
          Optional<Command.Expected> seen = around.store().current(wanted.key());
          long thinking = world.chance(0.5) ? 0 : world.between(0, 3 * World.SECOND);
          process.after(world.latency() + thinking, () -> acquire(expecting(wanted, seen)));
        });
  }

  private static AcquireRequest expecting(AcquireRequest wanted, Optional<Command.Expected> seen) {
    return new AcquireRequest(
        wanted.key(), wanted.instance(), wanted.terms(), seen, wanted.timing());
  }

  private void acquire(AcquireRequest wanted) {
    HeldLeaseView wish = new HeldLeaseView(world, process, wanted, this);
    ContentionState contention = process.contention(wanted.key());
    // An actor that joins while another of its process asks waits in the same way, because the wire
    // shows both.
    waiting =
        contention.interested == 0
            ? !(habit instanceof Polls) && world.chance(0.7)
            : contention.waiting > 0;
    contention.interested++;
    contention.noteCrowd(world.now());
    if (waiting) {
      contention.joined(world.now());
    }
    world.trace(process.name(), () -> (waiting ? "waits for " : "tries ") + TraceText.of(wanted));
    long timeout = world.between(World.SECOND / 2, 60 * World.SECOND);
    Verdict.Receiver receiver = verdict -> told(wish, verdict);
    Holdings.Ticket ticket =
        waiting
            ? process.holdings().acquire(wanted, timeout, receiver, wish)
            : process.holdings().tryAcquire(wanted, receiver, wish);
    if (world.chance(0.15)) {
      process.after(world.between(0, 6 * World.SECOND), ticket::cancel);
    }
  }

  private void inherit(Inherits inherits) {
    AcquireRequest given = inherits.given();
    AcquireRequest wanted =
        new AcquireRequest(
            given.key(), process.instance(), given.terms(), Optional.empty(), given.timing());
    HeldLeaseView wish = new HeldLeaseView(world, process, wanted, this);
    wish.inherited = true;
    world.trace(process.name(), () -> "inherits " + given.key() + " under " + inherits.token());
    process.holdings().inherit(wanted, inherits.token(), verdict -> told(wish, verdict), wish);
    if (world.chance(0.1)) {
      world.after(world.latency(), () -> around.neighbours().shutDown(process));
    }
  }

  private void told(HeldLeaseView wish, Verdict verdict) {
    world.trace(process.name(), () -> wish.key() + ": " + nameOf(verdict));
    ContentionState contention = process.contention(wish.key());
    contention.noteCrowd(world.now());
    if (habit instanceof Inherits) {
      contention.heirs--;
    } else {
      contention.interested--;
    }
    if (waiting) {
      waiting = false;
      contention.left(world.now());
      if (verdict instanceof Verdict.Won won) {
        contention.won(world.now(), won.lease().token(), wish.longestNanos());
      }
    }
    around.judge().rollbackChecks().told(process, habit instanceof Inherits, verdict);
    switch (verdict) {
      case Verdict.Won won -> {
        view = wish;
        wish.begin(won.lease());
        around.judge().won(wish);
        rounds = world.random().nextInt(12);
        wish.progressing = world.chance(0.7);
        next(world.between(0, 3 * World.MILLI), () -> work(wish));
      }
      case Verdict.Unsafe unsafe -> {
        around.neighbours().warned(process);
        later();
      }
      case Verdict.Failed failed when habit instanceof Inherits inherits -> {
        around.judge().owes(process, wish, inherits.token());
      }
      default -> later();
    }
  }

  private static String nameOf(Verdict verdict) {
    return verdict instanceof Verdict.Won ? "won" : verdict.toString();
  }

  /** Schedules the next step of the work, unless it is stopped before. */
  private void next(long delayNanos, Runnable action) {
    int expected = ++step;
    process.after(
        delayNanos,
        () -> {
          if (step == expected) {
            action.run();
          }
        });
  }

  /** Starts again after a while; an heir ends. */
  private void later() {
    long pause =
        switch (habit) {
          case Works works -> world.between(0, 5 * World.SECOND);
          case Keeps keeps -> World.SECOND;
          case Polls polls -> world.between(5 * World.MILLI, 30 * World.MILLI);
          case Inherits inherits -> 0;
        };
    boolean done =
        habit instanceof Inherits
            || (habit instanceof Polls polls && world.now() >= polls.untilNanos());
    if (!done) {
      next(pause, this::begin);
    }
  }

  private void work(HeldLeaseView mine) {
    if (habit instanceof Polls) {
      close(mine);
      return;
    }
    if (habit instanceof Keeps) {
      next(world.between(20 * World.SECOND, 60 * World.SECOND), () -> close(mine));
      return;
    }
    awaitOrClose(mine);
    world.after(
        world.latency(),
        () -> {
          boolean sealed = around.targets().seal(mine.key(), mine.token());
          process.after(world.latency(), () -> onlyIn(mine, () -> sealed(mine, sealed)));
        });
  }

  /** An actor that gets no answer from a target ends its work, since its write may still arrive. */
  private void awaitOrClose(HeldLeaseView mine) {
    next(ACK_TIMEOUT, () -> close(mine));
  }

  private void onlyIn(HeldLeaseView mine, Runnable action) {
    if (mine.equals(view) && !mine.closed && mine.loss.isEmpty()) {
      action.run();
    }
  }

  private void sealed(HeldLeaseView mine, boolean sealed) {
    if (sealed) {
      read(mine);
    } else {
      close(mine);
    }
  }

  private void read(HeldLeaseView mine) {
    awaitOrClose(mine);
    world.after(
        world.latency(),
        () -> {
          long version = around.targets().read(mine.key());
          process.after(world.latency(), () -> onlyIn(mine, () -> check(mine, version)));
        });
  }

  /** The check of the trust, after which a pause can come. */
  private void check(HeldLeaseView mine, long version) {
    around.judge().lookAt(mine);
    if (mine.trustNanos() == 0 || stopping) {
      close(mine);
      return;
    }
    step++;
    SimProcess heir = around.neighbours().other(process);
    if (heir != process && !process.isClosing() && world.chance(0.03)) {
      handOverInOverlap(mine, heir, version);
      return;
    }
    if (world.strikes(FaultKind.PAUSED_BEFORE_WRITE, process.name(), mine::toString)) {
      process.pause(world.between(World.SECOND, 45 * World.SECOND));
    }
    process.after(world.between(0, World.MILLI), () -> write(mine, version));
  }

  /**
   * Its last write is in flight while the lease is handed over: it lands before the heir's seal, or
   * is refused.
   */
  private void handOverInOverlap(HeldLeaseView mine, SimProcess heir, long version) {
    world.covered(CoveragePoint.HANDED_OVER_IN_OVERLAP);
    mine.closed = true;
    handOver(mine, heir);
    process.after(world.between(0, World.SECOND), () -> send(mine, version));
    later();
  }

  /** Writes without another check: after a pause this is the write that comes too late. */
  private void write(HeldLeaseView mine, long version) {
    awaitOrClose(mine);
    send(mine, version);
  }

  private void send(HeldLeaseView mine, long version) {
    Token token = mine.token();
    LeaseKey key = mine.key();
    long late =
        world.strikes(FaultKind.WRITE_LATE, process.name(), mine::toString)
            ? world.between(World.SECOND, 40 * World.SECOND)
            : 0;
    world.after(late + world.latency(), () -> around.targets().writeUnfenced(key, token));
    world.after(late + world.latency(), () -> around.neighbours().changeAtEffect(mine));
    world.after(
        late + world.latency(),
        () -> {
          boolean written = around.targets().write(key, token, version);
          process.after(world.latency(), () -> onlyIn(mine, () -> written(mine, written)));
        });
  }

  private void written(HeldLeaseView mine, boolean written) {
    rounds--;
    boolean stuck = !mine.progressing && mine.wanted().terms().stallLimit().millis() > 0;
    if (stuck) {
      step++;
      return;
    }
    mine.progressed();
    if (!written || rounds <= 0 || stopping) {
      close(mine);
      return;
    }
    long limit = mine.wanted().terms().stallLimit().millis() * World.MILLI;
    long most = limit > 0 ? limit / 2 : 6 * World.SECOND;
    next(world.between(0, most), () -> read(mine));
  }

  @Override
  public void ending() {
    stopping = true;
    HeldLeaseView mine = view;
    if (mine != null && !mine.closed) {
      long grace = mine.wanted().timing().graceNanos();
      next(world.between(0, 2 * grace), () -> close(mine));
    }
  }

  @Override
  public void lost(HeldLeaseView lost, LossReason reason) {
    around.judge().lost(lost, reason);
    HeldLeaseView mine = view;
    if (mine != null && !mine.closed) {
      next(world.between(0, 300 * World.MILLI), () -> close(mine));
    }
  }

  /** The work has ended. */
  private void close(HeldLeaseView mine) {
    if (mine.closed) {
      return;
    }
    mine.closed = true;
    SimProcess heir = around.neighbours().other(process);
    boolean mayPassOn = mine.loss.isEmpty() && !process.isClosing() && !(habit instanceof Polls);
    if (mayPassOn && heir != process && world.chance(0.2)) {
      handOver(mine, heir);
    } else if (mine.keptNanos() > 0) {
      world.covered(CoveragePoint.KEPT_AFTER_THE_WORK);
      mine.kept = true;
      world.trace(process.name(), () -> "keeps " + mine + " though its work has ended");
      process.holdings().releaseAfter(mine.keptNanos(), mine.lease());
    } else {
      world.trace(process.name(), () -> "releases " + mine);
      process.holdings().release(mine.lease(), answer -> around.judge().released(mine, answer));
      if (mine.loss.isEmpty()) {
        process.contention(mine.key()).over(world.now(), mine.token());
      }
    }
    later();
  }

  private void handOver(HeldLeaseView mine, SimProcess heir) {
    world.trace(process.name(), () -> "hands " + mine + " over to " + heir);
    heir.contention(mine.key()).heirs++;
    Command.Heir to = new Command.Heir(heir.name(), heir.instance().id());
    process.holdings().handOver(mine.lease(), to, answer -> handedOver(mine, heir, answer));
  }

  private void handedOver(HeldLeaseView mine, SimProcess heir, Answer<Outcome> answer) {
    switch (answer.outcome()) {
      case Outcome.HandedOver done -> {
        long delay = world.chance(0.7) ? world.latency() : world.between(0, 8 * World.SECOND);
        Habit inheriting = new Inherits(mine.wanted(), done.token());
        heir.after(delay, () -> new Actor(world, heir, around, inheriting).begin());
      }
      case Outcome.Failed failed -> {}
      case Outcome.Closed refused -> {
        heir.contention(mine.key()).heirs--;
        around.judge().owes(process, mine, mine.token());
      }
      default -> heir.contention(mine.key()).heirs--;
    }
  }
}
