package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Renews what the process holds, on a wire of its own, and tells at once when something is lost.
 * There is one schedule for all leases: whatever is due shares a batch.
 *
 * <p>A batch that fails, or is not answered in time, is tried again in smaller parts, in the end
 * one by one, so that a lease that cannot be renewed takes no other with it. A failure loses
 * nothing by itself: a lease is unreachable only when its trust has run out.
 */
final class Keeper {
  static final int MAX_BATCH = 1_000;

  /** Into how many parts a failed batch falls: two failures isolate one lease among a thousand. */
  static final int PARTS = 32;

  /** What is due within this time is renewed together, a little early. */
  private static final long WINDOW_NANOS = Duration.ofMillis(50).toNanos();

  /**
   * Of the renewal interval, what is taken off at random, so that processes do not beat in step.
   */
  private static final int JITTER_PART = 10;

  private static final long SHORTEST_PATIENCE = Duration.ofMillis(50).toNanos();

  private final Wire wire;
  private final Environment environment;
  private final LeaseHeap schedule = new LeaseHeap();
  private Optional<Scheduler.Timer> timer = Optional.empty();
  private long timerAtNanos;

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
    Timing timing = lease.timing();
    long now = environment.now();
    long usualTrust = timing.ttlNanos() - timing.marginNanos();
    long spent = Math.clamp(usualTrust - lease.trustNanos(now), 0, timing.renewEveryNanos());
    planRenewal(lease, now - spent);
    lease.renewAtNanos = now + Math.max(0, lease.renewAtNanos - now);
    plan(lease);
    arm();
  }

  /** It is not renewed any more; what is on its way is ignored when it comes. */
  void forget(HeldLease lease) {
    schedule.remove(lease);
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
      // What is overdue needs no timer: while the machine slept, timers may have stood still, and a
      // new one for each answer that comes meanwhile would put it off again and again.
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
      if (isAlive(lease, now)) {
        if (!lease.renewing && lease.renewAtNanos - now <= WINDOW_NANOS) {
          lease.renewing = true;
          due.add(lease);
        }
        plan(lease);
      }
    }
    renew(due);
    arm();
  }

  /** Tells what time has brought: that it ends, or that it is over. */
  private boolean isAlive(HeldLease lease, long nowNanos) {
    long trust = lease.trustNanos(nowNanos);
    if (trust == 0) {
      lose(lease, new LossReason.Unreachable());
      return false;
    }
    if (trust <= lease.timing().graceNanos()) {
      lease.tellEnding();
    }
    return lease.over().isEmpty();
  }

  private void lose(HeldLease lease, LossReason reason) {
    schedule.remove(lease);
    losses.accept(lease, reason);
    lease.lose(reason);
  }

  /** Leases of very different patience do not share a batch: the hasty would hurry the others. */
  private void renew(List<HeldLease> due) {
    Map<Integer, List<HeldLease>> byPatience = new TreeMap<>();
    for (HeldLease lease : due) {
      int scale = Long.numberOfLeadingZeros(lease.timing().patienceNanos());
      byPatience.computeIfAbsent(scale, key -> new ArrayList<>()).add(lease);
    }
    for (List<HeldLease> alike : byPatience.values()) {
      for (int from = 0; from < alike.size(); from += MAX_BATCH) {
        new Attempt(alike.subList(from, Math.min(alike.size(), from + MAX_BATCH))).send();
      }
    }
  }

  private static Command renewal(HeldLease lease) {
    return new Command.Renew(
        lease.key(), lease.token(), lease.instance(), OptionalLong.empty(), lease.progress());
  }

  /** One batch of renewals on its way. */
  private final class Attempt implements Wire.Reply {
    private final List<HeldLease> leases;
    private long sentNanos;
    private boolean settled;

    Attempt(List<HeldLease> leases) {
      this.leases = List.copyOf(leases);
    }

    void send() {
      sentNanos = environment.now();
      long patience = leases.stream().mapToLong(this::patienceWith).min().orElse(0);
      environment.after(patience, this::losePatience);
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
      settled = true;
      for (int i = 0; i < leases.size(); i++) {
        take(leases.get(i), outcomes.get(i), first);
      }
      arm();
    }

    /** A late answer still counts: what the store has said is true, from the sending on. */
    private void take(HeldLease lease, Outcome outcome, boolean first) {
      if (lease.over().isPresent()) {
        return;
      }
      switch (outcome) {
        case Outcome.Renewed renewed -> renewed(lease, renewed.remainingMillis(), first);
        case Outcome.Lost lost -> lose(lease, lost.reason());
        default -> {
          if (first) {
            tryAgainLater(List.of(lease));
          }
        }
      }
    }

    /** Trust that has run out stays so: whoever has asked was told that it is over. */
    private void renewed(HeldLease lease, long remainingMillis, boolean first) {
      if (lease.trustNanos(environment.now()) == 0) {
        lose(lease, new LossReason.Unreachable());
        return;
      }
      lease.trustUntil(lease.timing().trustUntil(sentNanos, remainingMillis));
      if (first) {
        lease.failures = 0;
        lease.renewing = false;
        planRenewal(lease, sentNanos);
      }
      plan(lease);
    }

    @Override
    public void failed(String why) {
      fallApart();
    }

    private void losePatience() {
      fallApart();
    }

    private void fallApart() {
      if (settled) {
        return;
      }
      settled = true;
      int size = Math.max(1, (leases.size() + PARTS - 1) / PARTS);
      for (int from = 0; from < leases.size(); from += size) {
        tryAgainLater(leases.subList(from, Math.min(leases.size(), from + size)));
      }
    }
  }

  private void tryAgainLater(List<HeldLease> part) {
    long shortest = Long.MAX_VALUE;
    long now = environment.now();
    for (HeldLease lease : part) {
      long backoff = lease.timing().backoffNanos(lease.failures);
      // Whatever the backoff says: while there is trust, there is time for another attempt.
      shortest = Math.min(shortest, Math.min(backoff, lease.trustNanos(now) / 4));
      lease.failures++;
    }
    environment.after(environment.upTo(shortest), () -> tryAgain(part));
  }

  private void tryAgain(List<HeldLease> part) {
    renew(part.stream().filter(lease -> lease.over().isEmpty()).toList());
  }
}
