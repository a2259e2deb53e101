package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renews the leases of the process, on a wire of their own, and reports losses at once. There is
 * one schedule for all leases: renewals that are due together share a batch.
 *
 * <p>A failed renewal does not lose the lease: it is lost only when its trust has run out. Failed
 * renewals are tried again:
 *
 * <ul>
 *   <li>While the store answers other batches, a batch that fails or times out is split into parts,
 *       in the end into single leases, so that a lease that cannot be renewed does not fail others.
 *       If only a few renewals of a batch fail, each is tried alone at once: the store skips locked
 *       rows in a batch, and waits for them when a renewal comes alone.
 *   <li>While the store answers no batch, all failed renewals are gathered and retried in full
 *       batches: a store that is down, or just starting, must not get a call for each lease. One
 *       batch at a time is split all the same, as a probe, because a single lease may be the cause.
 * </ul>
 */
final class Keeper {
  private static final System.Logger LOG = System.getLogger(Keeper.class.getName());

  static final int MAX_BATCH = 1_000;

  /** The parts of a failed batch: two failures isolate one lease among a thousand. */
  static final int PARTS = 32;

  /** The most parts at a time; beyond that, failed renewals are retried in full batches. */
  static final int MAX_SPLIT_PARTS = 1_000;

  /** Renewals that are due within this time are sent together, a little early. */
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();

  /** Up to this part of an interval is taken off, so that processes do not renew in step. */
  private static final int JITTER_PART = 10;

  private static final long SHORTEST_TIMEOUT = Duration.ofMillis(50).toNanos();

  /** The shortest pause between attempts, also near the end of the trust, to spare the store. */
  private static final long SHORTEST_PAUSE = Duration.ofMillis(10).toNanos();

  private final Wire<Command, Outcome> wire;
  private final Environment environment;
  private final LeaseHeap schedule = new LeaseHeap();
  private final Map<LeaseKey, HeldLease> byKey = new HashMap<>();
  private Optional<Scheduler.Timer> timer = Optional.empty();
  private long timerAtNanos;

  /** When failed renewals are retried together, by the scale of their timeout. */
  private final Map<Integer, Long> rounds = new HashMap<>();

  /** How many batches the store has answered, at least for some of their leases. */
  private long answers;

  /** Parts of failed batches that are pending or in flight. */
  private int splitParts;

  /** Those of them that were split while the store answered no batch. */
  private int probes;

  private final KeeperListener told;

  Keeper(Wire<Command, Outcome> wire, Environment environment, KeeperListener told) {
    this.wire = wire;
    this.environment = environment;
    this.told = told;
  }

  List<HeldLease> all() {
    return schedule.all();
  }

  int size() {
    return schedule.size();
  }

  /**
   * Starts to renew a lease. If its grant is older than usual, because the answer was lost or late,
   * it has less trust left and is renewed that much sooner.
   */
  void keep(HeldLease lease) {
    trusted(lease.key()).ifPresent(before -> lose(before, granted(lease)));
    byKey.put(lease.key(), lease);
    Timing timing = lease.timing();
    long now = environment.now();
    long usualTrust = timing.ttlNanos() - timing.marginNanos();
    long spent = Math.clamp(usualTrust - lease.promisedNanos(now), 0, timing.renewEveryNanos());
    planRenewal(lease, now - spent);
    lease.renewAtNanos = now + Math.max(0, lease.renewAtNanos - now);
    plan(lease);
    arm();
  }

  private static LossReason granted(HeldLease lease) {
    return new LossReason.Broken(
        "the store granted token " + lease.token() + " while this lease was trusted");
  }

  /** Ends all leases as lost, because the store cannot be relied on. */
  void loseAll(LossReason reason) {
    all().forEach(lease -> lose(lease, reason));
  }

  /** The lease of this key, if it may be trusted. */
  Optional<HeldLease> trusted(LeaseKey key) {
    return Optional.ofNullable(byKey.get(key))
        .filter(lease -> lease.trustNanos(environment.now()) > 0);
  }

  /** Stops renewing the lease; an answer to a renewal in flight is ignored. */
  void forget(HeldLease lease) {
    schedule.remove(lease);
    byKey.remove(lease.key(), lease);
  }

  private void planRenewal(HeldLease lease, long sentNanos) {
    long interval = lease.timing().renewEveryNanos();
    lease.renewAtNanos = sentNanos + interval - environment.upTo(interval / JITTER_PART);
  }

  private void plan(HeldLease lease) {
    long trustEnds = lease.trustUntilNanos();
    long nextStop = lease.toldEnding ? trustEnds : trustEnds - lease.timing().graceNanos();
    boolean renewalNext = !lease.renewing && lease.renewAtNanos - nextStop < 0;
    lease.nextEventNanos = renewalNext ? lease.renewAtNanos : nextStop;
    schedule.place(lease);
  }

  private void arm() {
    if (schedule.isEmpty()) {
      return;
    }
    long next = schedule.first().nextEventNanos;
    long now = environment.now();
    if (next - now <= 0) {
      // An overdue event does not rely on a timer. Timers may have stopped while the machine slept,
      // and a timer that each event sets anew could be put off for ever.
      environment.turns().execute(this::tick);
      return;
    }
    if (timer.isPresent() && next - timerAtNanos >= 0 && timerAtNanos - now > 0) {
      return;
    }
    timer.ifPresent(Scheduler.Timer::cancel);
    timerAtNanos = next;
    timer = Optional.of(environment.after(next - now, this::tick));
  }

  private void tick() {
    timer.ifPresent(Scheduler.Timer::cancel);
    timer = Optional.empty();
    long now = environment.now();
    List<HeldLease> woken = new ArrayList<>();
    while (!schedule.isEmpty() && schedule.first().nextEventNanos - now <= WINDOW_NANOS) {
      HeldLease lease = schedule.first();
      schedule.remove(lease);
      woken.add(lease);
    }
    List<HeldLease> due = new ArrayList<>();
    for (HeldLease lease : woken) {
      if (lease.over().isPresent()) {
        Invariants.report(lease.key(), "it was kept though it was over");
      } else if (isAlive(lease, now)) {
        if (isDue(lease, now)) {
          lease.renewing = true;
          due.add(lease);
        }
        plan(lease);
      }
    }
    renew(due);
    arm();
  }

  /** A renewal may be early, together with others, but not within the pause after a failure. */
  private static boolean isDue(HeldLease lease, long nowNanos) {
    long early = lease.failures > 0 ? 0 : WINDOW_NANOS;
    return !lease.renewing && lease.renewAtNanos - nowNanos <= early;
  }

  /** Tells the listener if the lease is about to end, or is over. */
  private boolean isAlive(HeldLease lease, long nowNanos) {
    long trust = lease.trustNanos(nowNanos);
    if (trust == 0) {
      lose(lease, lease.whyNotTrusted());
      return false;
    }
    if (trust <= lease.timing().graceNanos()) {
      lease.tellEnding();
    }
    return lease.over().isEmpty();
  }

  private void lose(HeldLease lease, LossReason reason) {
    forget(lease);
    told.lost(lease, reason);
    lease.lose(reason);
  }

  /**
   * Leases with very different timeouts do not share a batch, since the shortest timeout would
   * apply to all. Nor do leases that failed and leases that did not.
   */
  private void renew(List<HeldLease> due) {
    record Alike(int timeoutScale, boolean failed) {}
    Map<Alike, List<HeldLease>> groups = new LinkedHashMap<>();
    for (HeldLease lease : due) {
      Alike alike = new Alike(timeoutScale(lease), lease.failures > 0);
      groups.computeIfAbsent(alike, key -> new ArrayList<>()).add(lease);
    }
    for (List<HeldLease> alike : groups.values()) {
      for (int from = 0; from < alike.size(); from += MAX_BATCH) {
        List<HeldLease> batch = alike.subList(from, Math.min(alike.size(), from + MAX_BATCH));
        new Attempt(batch, BatchKind.FULL, answers).send();
      }
    }
  }

  private static int timeoutScale(HeldLease lease) {
    return Long.numberOfLeadingZeros(lease.timing().timeoutNanos());
  }

  private static Command renewal(HeldLease lease) {
    return new Command.Renew(
        lease.key(), lease.token(), lease.instance(), lease.renewalTtlMillis(), lease.progress());
  }

  /** Which leases share a batch. */
  private enum BatchKind {
    /** All leases that are due. */
    FULL,
    /** Only leases that failed together. */
    SPLIT,
    /** The same, while it is not known whether the store or a lease causes the failure. */
    PROBE
  }

  /** One batch of renewals in flight. */
  private final class Attempt implements Wire.Reply<Outcome> {
    private final List<HeldLease> leases;
    private final BatchKind kind;
    private final long answersBefore;
    private long sentNanos;
    private boolean settled;
    private Optional<Scheduler.Timer> timeout = Optional.empty();

    /**
     * @param answersBefore compared with {@link #answers} when this attempt fails: if that has
     *     grown, the store has answered other batches meanwhile
     */
    Attempt(List<HeldLease> leases, BatchKind kind, long answersBefore) {
      this.leases = List.copyOf(leases);
      this.kind = kind;
      this.answersBefore = answersBefore;
    }

    void send() {
      sentNanos = environment.now();
      long timeoutNanos = leases.stream().mapToLong(this::timeoutWith).min().orElse(0);
      timeout = Optional.of(environment.after(timeoutNanos, this::timeOut));
      wire.send(leases.stream().map(Keeper::renewal).toList(), this);
    }

    /** Near the end of the trust, the timeout leaves time for another attempt. */
    private long timeoutWith(HeldLease lease) {
      long share = Math.max(SHORTEST_TIMEOUT, lease.trustNanos(sentNanos) / 3);
      return Math.min(lease.timing().timeoutNanos(), share);
    }

    @Override
    public void answered(List<Outcome> outcomes) {
      if (outcomes.size() != leases.size()) {
        failed("the store answered " + outcomes.size() + " of " + leases.size() + " renewals");
        return;
      }
      boolean first = !settled;
      settle();
      boolean answersSome =
          outcomes.stream().anyMatch(outcome -> !(outcome instanceof Outcome.Failed));
      answers += answersSome ? 1 : 0;
      List<HeldLease> unanswered = new ArrayList<>();
      for (int i = 0; i < leases.size(); i++) {
        if (leases.get(i).over().isEmpty() && !isTaken(leases.get(i), outcomes.get(i), first)) {
          unanswered.add(leases.get(i));
        }
      }
      if (first) {
        retry(trusted(unanswered), answersSome);
      }
      arm();
    }

    private void retry(List<HeldLease> failed, boolean answersSome) {
      if (answersSome) {
        tryAlone(failed);
      } else if (kind == BatchKind.SPLIT && failed.size() == 1) {
        trySplit(failed, kind);
      } else {
        gather(failed);
      }
    }

    /** A late answer still counts: its remaining time runs from the sending. */
    private boolean isTaken(HeldLease lease, Outcome outcome, boolean first) {
      if (!(outcome instanceof Outcome.OfRenew told)) {
        lose(lease, new LossReason.Broken("the store answered a renewal by " + outcome));
        return true;
      }
      return switch (told) {
        case Outcome.Renewed renewed -> {
          renewed(lease, renewed.remainingMillis(), first);
          yield true;
        }
        case Outcome.Lost lost -> {
          lose(lease, lost.reason());
          yield true;
        }
        case Outcome.Rejected rejected -> false;
        case Outcome.Failed failed -> false;
      };
    }

    /** Trust that has ended is not restored: a caller may know that the lease is over. */
    private void renewed(HeldLease lease, long remainingMillis, boolean first) {
      if (lease.trustNanos(environment.now()) == 0) {
        lose(lease, lease.whyNotTrusted());
        return;
      }
      Optional<String> broken = brokenBy(lease, remainingMillis);
      if (broken.isPresent()) {
        lose(lease, new LossReason.Broken(broken.get()));
        return;
      }
      lease.trustUntil(lease.timing().trustUntil(sentNanos, remainingMillis));
      LOG.log(Level.DEBUG, "{0} is renewed under token {1}", lease.key(), lease.token());
      if (first) {
        if (lease.failures > 0) {
          told.renewedLate(lease, lease.failures);
        }
        lease.failures = 0;
        lease.renewing = false;
        planRenewal(lease, sentNanos);
      }
      plan(lease);
    }

    private Optional<String> brokenBy(HeldLease lease, long remainingMillis) {
      long now = environment.now();
      return Invariants.brokenByRenewal(
          lease, new Invariants.Answered(sentNanos, now, remainingMillis));
    }

    @Override
    public void failed(String why) {
      retryInParts();
    }

    private void timeOut() {
      retryInParts();
    }

    private void settle() {
      if (!settled) {
        settled = true;
        timeout.ifPresent(Scheduler.Timer::cancel);
        leave(kind);
      }
    }

    private void retryInParts() {
      if (settled) {
        return;
      }
      settle();
      List<HeldLease> left = trusted(leases);
      boolean answersOthers = answers != answersBefore;
      if (answersOthers) {
        split(left, BatchKind.SPLIT);
      } else if (kind == BatchKind.FULL && left.size() > 1 && probes == 0) {
        split(left, BatchKind.PROBE);
      } else if (kind == BatchKind.SPLIT && left.size() == 1) {
        // The lease failed while others were answered: it is tried alone until it is answered.
        trySplit(left, kind);
      } else {
        gather(left);
      }
      arm();
    }
  }

  /** The leases that can still be renewed; the others are about to be reported as lost. */
  private List<HeldLease> trusted(List<HeldLease> leases) {
    long now = environment.now();
    return leases.stream().filter(lease -> lease.trustNanos(now) > 0).toList();
  }

  /** Tries failed renewals one by one, at once if they are few, since the store answers others. */
  private void tryAlone(List<HeldLease> failed) {
    if (failed.size() > Math.min(PARTS, MAX_SPLIT_PARTS - splitParts)) {
      split(failed, BatchKind.SPLIT);
      return;
    }
    for (HeldLease lease : failed) {
      if (lease.failures > 0) {
        trySplit(List.of(lease), BatchKind.SPLIT);
      } else {
        lease.failures++;
        splitParts++;
        new Attempt(List.of(lease), BatchKind.SPLIT, answers).send();
      }
    }
  }

  /** Retries a failed batch in several parts, as far as {@link #MAX_SPLIT_PARTS} allows. */
  private void split(List<HeldLease> leases, BatchKind kind) {
    int parts = Math.min(PARTS, MAX_SPLIT_PARTS - splitParts);
    if (parts <= 0) {
      gather(leases);
      return;
    }
    int size = Math.max(1, (leases.size() + parts - 1) / parts);
    for (int from = 0; from < leases.size(); from += size) {
      trySplit(leases.subList(from, Math.min(leases.size(), from + size)), kind);
    }
  }

  private void trySplit(List<HeldLease> part, BatchKind kind) {
    splitParts++;
    probes += kind == BatchKind.PROBE ? 1 : 0;
    long answersBefore = answers;
    environment.after(
        pause(longestPause(part)),
        () -> {
          List<HeldLease> left = trusted(part);
          if (left.isEmpty()) {
            leave(kind);
          } else {
            new Attempt(left, kind, answersBefore).send();
          }
        });
  }

  private void leave(BatchKind kind) {
    splitParts -= kind == BatchKind.FULL ? 0 : 1;
    probes -= kind == BatchKind.PROBE ? 1 : 0;
  }

  /** Retries these renewals in the next round of failed ones, if that comes soon enough. */
  private void gather(List<HeldLease> failed) {
    if (failed.isEmpty()) {
      return;
    }
    long now = environment.now();
    long longest = longestPause(failed);
    int scale = timeoutScale(failed.getFirst());
    long round = rounds.getOrDefault(scale, now);
    if (round - now <= 0 || round - now > longest) {
      round = now + pause(longest);
      rounds.put(scale, round);
    }
    for (HeldLease lease : failed) {
      lease.renewing = false;
      lease.renewAtNanos = round;
      plan(lease);
    }
  }

  private long longestPause(List<HeldLease> failed) {
    long longest = Long.MAX_VALUE;
    long now = environment.now();
    for (HeldLease lease : failed) {
      long backoff = lease.timing().backoffNanos(lease.failures);
      // The backoff never takes more than a quarter of the remaining trust, so that further
      // attempts are possible.
      longest = Math.min(longest, Math.min(backoff, lease.trustNanos(now) / 4));
      lease.failures++;
    }
    return Math.max(SHORTEST_PAUSE, longest);
  }

  private long pause(long longestNanos) {
    return Math.max(SHORTEST_PAUSE, environment.upTo(longestNanos));
  }
}
