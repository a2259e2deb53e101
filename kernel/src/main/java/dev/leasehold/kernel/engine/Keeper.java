package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Command;
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
import java.util.function.BiConsumer;

/**
 * Renews what the process holds, on a wire of its own, and tells at once when something is lost.
 * There is one schedule for all leases: whatever is due shares a batch.
 *
 * <p>A failure loses nothing by itself: a lease is unreachable only when its trust has run out.
 * What fails is tried again:
 *
 * <ul>
 *   <li>While the store answers others, a batch that fails, or is not answered in time, falls into
 *       parts, in the end into single leases, so that one that cannot be renewed takes no other
 *       with it. A few that fail in a batch whose others are answered are tried alone at once: the
 *       store may have skipped them, and waits for their rows when they come alone.
 *   <li>While it answers nobody, all that failed gathers again and is retried in full batches: a
 *       store that is down, or just coming up, is not met by a call for each lease. One batch at a
 *       time falls apart all the same, as a probe: perhaps the store is well and one lease is not.
 * </ul>
 */
final class Keeper {
  private static final System.Logger LOG = System.getLogger(Keeper.class.getName());

  static final int MAX_BATCH = 1_000;

  /** Into how many parts a failed batch falls: two failures isolate one lease among a thousand. */
  static final int PARTS = 32;

  /** How many parts there may be at a time; beyond that, what fails is retried in company. */
  static final int MAX_APART = 1_000;

  /** What is due within this time is renewed together, a little early. */
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();

  /**
   * Of the renewal interval, what is taken off at random, so that processes do not beat in step.
   */
  private static final int JITTER_PART = 10;

  private static final long SHORTEST_PATIENCE = Duration.ofMillis(50).toNanos();

  /** However near the end of the trust is: a store in trouble is not asked without pause. */
  private static final long SHORTEST_PAUSE = Duration.ofMillis(10).toNanos();

  private final Wire wire;
  private final Environment environment;
  private final LeaseHeap schedule = new LeaseHeap();
  private final Map<LeaseKey, HeldLease> byKey = new HashMap<>();
  private Optional<Scheduler.Timer> timer = Optional.empty();
  private long timerAtNanos;

  /** When what failed is tried again together, by the scale of its patience. */
  private final Map<Integer, Long> rounds = new HashMap<>();

  /** How many batches were answered, if only for some of their leases. */
  private long answers;

  /** Parts of failed batches that wait for their turn or are on their way. */
  private int apart;

  /** Those of them that were made while the store answered nobody. */
  private int probes;

  private final BiConsumer<HeldLease, LossReason> losses;

  /** Losses are told here too, before they are told to the lease. */
  Keeper(Wire wire, Environment environment, BiConsumer<HeldLease, LossReason> losses) {
    this.wire = wire;
    this.environment = environment;
    this.losses = losses;
  }

  List<HeldLease> all() {
    return schedule.all();
  }

  int size() {
    return schedule.size();
  }

  /**
   * Takes a lease in. One that was granted a while ago, because the answer was lost or late, has
   * less trust left than usual and is renewed that much sooner.
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

  /** Told as lost, all of them: what they rest on cannot be relied on. */
  void loseAll(LossReason reason) {
    all().forEach(lease -> lose(lease, reason));
  }

  /** The lease of this key that may be trusted. */
  Optional<HeldLease> trusted(LeaseKey key) {
    return Optional.ofNullable(byKey.get(key))
        .filter(lease -> lease.trustNanos(environment.now()) > 0);
  }

  /** It is not renewed any more; what is on its way is ignored when it comes. */
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
      // No timer is relied on for what is overdue: while the machine slept, they may have stood
      // still, and one that is set anew by every event is late for ever.
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

  /** A little early, if others are renewed now; but never before the pause after a failure. */
  private static boolean isDue(HeldLease lease, long nowNanos) {
    long early = lease.failures > 0 ? 0 : WINDOW_NANOS;
    return !lease.renewing && lease.renewAtNanos - nowNanos <= early;
  }

  /** Tells what time has brought: that it ends, or that it is over. */
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
    losses.accept(lease, reason);
    lease.lose(reason);
  }

  /**
   * Leases of very different patience do not share a batch: the hasty would hurry the others. Nor
   * do those that failed and those that did not.
   */
  private void renew(List<HeldLease> due) {
    record Alike(int patienceScale, boolean failed) {}
    Map<Alike, List<HeldLease>> groups = new LinkedHashMap<>();
    for (HeldLease lease : due) {
      Alike alike = new Alike(patienceScale(lease), lease.failures > 0);
      groups.computeIfAbsent(alike, key -> new ArrayList<>()).add(lease);
    }
    for (List<HeldLease> alike : groups.values()) {
      for (int from = 0; from < alike.size(); from += MAX_BATCH) {
        List<HeldLease> batch = alike.subList(from, Math.min(alike.size(), from + MAX_BATCH));
        new Attempt(batch, Company.ALL, answers).send();
      }
    }
  }

  private static int patienceScale(HeldLease lease) {
    return Long.numberOfLeadingZeros(lease.timing().patienceNanos());
  }

  private static Command renewal(HeldLease lease) {
    return new Command.Renew(
        lease.key(), lease.token(), lease.instance(), lease.renewalTtlMillis(), lease.progress());
  }

  /** With whom leases share a batch. */
  private enum Company {
    /** With whatever is due. */
    ALL,
    /** Only with what failed with them. */
    APART,
    /** The same, though nobody knows yet whether the store or a lease is to blame. */
    PROBE
  }

  /** One batch of renewals on its way. */
  private final class Attempt implements Wire.Reply {
    private final List<HeldLease> leases;
    private final Company company;
    private final long answersBefore;
    private long sentNanos;
    private boolean settled;
    private Optional<Scheduler.Timer> patience = Optional.empty();

    /** Whether the store answers others is judged by how many answers there had been before. */
    Attempt(List<HeldLease> leases, Company company, long answersBefore) {
      this.leases = List.copyOf(leases);
      this.company = company;
      this.answersBefore = answersBefore;
    }

    void send() {
      sentNanos = environment.now();
      long patienceNanos = leases.stream().mapToLong(this::patienceWith).min().orElse(0);
      patience = Optional.of(environment.after(patienceNanos, this::losePatience));
      wire.send(leases.stream().map(Keeper::renewal).toList(), this);
    }

    /** Near the end of the trust, there must be time for another attempt after this one. */
    private long patienceWith(HeldLease lease) {
      long share = Math.max(SHORTEST_PATIENCE, lease.trustNanos(sentNanos) / 3);
      return Math.min(lease.timing().patienceNanos(), share);
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
      } else if (company == Company.APART && failed.size() == 1) {
        tryApart(failed, company);
      } else {
        gather(failed);
      }
    }

    /** A late answer still counts: what the store has said is true, from the sending on. */
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

    /** Trust that has run out stays so: whoever has asked was told that it is over. */
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
      fallApart();
    }

    private void losePatience() {
      fallApart();
    }

    private void settle() {
      if (!settled) {
        settled = true;
        patience.ifPresent(Scheduler.Timer::cancel);
        leave(company);
      }
    }

    private void fallApart() {
      if (settled) {
        return;
      }
      settle();
      List<HeldLease> left = trusted(leases);
      boolean answersOthers = answers != answersBefore;
      if (answersOthers) {
        split(left, Company.APART);
      } else if (company == Company.ALL && left.size() > 1 && probes == 0) {
        split(left, Company.PROBE);
      } else if (company == Company.APART && left.size() == 1) {
        // It failed while others were answered: until it is answered itself, it stays alone.
        tryApart(left, company);
      } else {
        gather(left);
      }
      arm();
    }
  }

  /** Those that are worth another attempt; the others are about to be told. */
  private List<HeldLease> trusted(List<HeldLease> leases) {
    long now = environment.now();
    return leases.stream().filter(lease -> lease.trustNanos(now) > 0).toList();
  }

  /** At once, if there are few: others were answered, so the store is well. */
  private void tryAlone(List<HeldLease> failed) {
    if (failed.size() > Math.min(PARTS, MAX_APART - apart)) {
      split(failed, Company.APART);
      return;
    }
    for (HeldLease lease : failed) {
      if (lease.failures > 0) {
        tryApart(List.of(lease), Company.APART);
      } else {
        lease.failures++;
        apart++;
        new Attempt(List.of(lease), Company.APART, answers).send();
      }
    }
  }

  /** Tries in several parts what failed in one; as many as there is room for. */
  private void split(List<HeldLease> leases, Company company) {
    int parts = Math.min(PARTS, MAX_APART - apart);
    if (parts <= 0) {
      gather(leases);
      return;
    }
    int size = Math.max(1, (leases.size() + parts - 1) / parts);
    for (int from = 0; from < leases.size(); from += size) {
      tryApart(leases.subList(from, Math.min(leases.size(), from + size)), company);
    }
  }

  private void tryApart(List<HeldLease> part, Company company) {
    apart++;
    probes += company == Company.PROBE ? 1 : 0;
    long answersBefore = answers;
    environment.after(
        pause(longestPause(part)),
        () -> {
          List<HeldLease> left = trusted(part);
          if (left.isEmpty()) {
            leave(company);
          } else {
            new Attempt(left, company, answersBefore).send();
          }
        });
  }

  private void leave(Company company) {
    apart -= company == Company.ALL ? 0 : 1;
    probes -= company == Company.PROBE ? 1 : 0;
  }

  /** Tries again together with all that failed, if their round comes soon enough for these. */
  private void gather(List<HeldLease> failed) {
    if (failed.isEmpty()) {
      return;
    }
    long now = environment.now();
    long longest = longestPause(failed);
    int scale = patienceScale(failed.getFirst());
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
      // Whatever the backoff says: while there is trust, there is time for another attempt.
      longest = Math.min(longest, Math.min(backoff, lease.trustNanos(now) / 4));
      lease.failures++;
    }
    return Math.max(SHORTEST_PAUSE, longest);
  }

  private long pause(long longestNanos) {
    return Math.max(SHORTEST_PAUSE, environment.upTo(longestNanos));
  }
}
