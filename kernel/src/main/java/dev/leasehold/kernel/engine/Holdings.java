package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.batches.Gatherer;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseEvent.Waiting.Cause;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * All leases that one process holds or waits for: the state machines, connected. Every method is
 * called in turns, as is every event.
 */
public final class Holdings {
  /** How long a caller that does not wait for a held key waits for the store's answer. */
  private static final Duration ANSWER = AnswerTimes.PROMISED;

  private final Environment environment;
  private final Function<LeaseKey, Subscription> watch;
  private final Gatherer<LeaseKey, Command, Outcome> gatherer;
  private final Delivery delivery;
  private final Keeper keeper;
  private final LeaseObserver observer;
  private final SeenGrants seenGrants = new SeenGrants();
  private final Map<LeaseKey, Contention> contentions = new HashMap<>();
  private final Set<Contender> contenders = new LinkedHashSet<>();
  private Optional<Shutdown> shutdown = Optional.empty();

  /** The wires of a process. Renewals have their own, so that no other command can block them. */
  public record Wires(
      Wire<Command, Outcome> commands,
      Wire<Command, Outcome> renewals,
      Function<LeaseKey, Subscription> watch) {}

  public Holdings(Wires wires, Environment environment) {
    this(wires, environment, LeaseObserver.NONE);
  }

  /** The observer is told in turns: it must neither block nor throw. */
  public Holdings(Wires wires, Environment environment, LeaseObserver observer) {
    this.environment = environment;
    this.observer = observer;
    this.watch = wires.watch();
    this.gatherer =
        new Gatherer<>(
            Command.KIND, GatheringLimits.ofLeases(ANSWER), wires.commands(), environment);
    this.delivery = new Delivery(gatherer, environment);
    this.keeper = new Keeper(wires.renewals(), environment, new KeptLeases());
  }

  /** What the keeper finds. */
  private final class KeptLeases implements KeeperListener {
    @Override
    public void lost(HeldLease lease, LossReason reason) {
      observer.observed(new LeaseEvent.Lost(lease.key(), lease.token(), reason));
      Holdings.this.lost(lease, reason);
    }

    @Override
    public void renewedLate(HeldLease lease, int failedAttempts) {
      observer.observed(new LeaseEvent.RenewedLate(lease.key(), lease.token(), failedAttempts));
    }
  }

  Environment environment() {
    return environment;
  }

  Gatherer<LeaseKey, Command, Outcome> gatherer() {
    return gatherer;
  }

  /**
   * The id comes from the given clock and generator, so that a simulation can be repeated. The time
   * comes first, so that a store's index has the requests of one process side by side, on few pages
   * instead of one page each.
   */
  RequestId newRequestId() {
    HexFormat hex = HexFormat.of();
    return new RequestId(
        hex.toHexDigits(environment.now()) + hex.toHexDigits(environment.random().nextLong()));
  }

  /** An attempt that its caller can cancel. */
  public interface Ticket {
    void cancel();
  }

  /** Asks once, and waits only for the store's answer, not for the key. */
  public Ticket tryAcquire(
      AcquireRequest wanted, Verdict.Receiver receiver, HeldLease.Listener listener) {
    Contender contender =
        new Contender(
            this,
            wanted,
            new Contender.WaitMode(false, ANSWER.toNanos()),
            new Contender.Caller(receiver, listener));
    return begin(contender, contender::ask);
  }

  /** Waits for the key, up to this time. */
  public Ticket acquire(
      AcquireRequest wanted,
      long waitNanos,
      Verdict.Receiver receiver,
      HeldLease.Listener listener) {
    Contender contender =
        new Contender(
            this,
            wanted,
            new Contender.WaitMode(true, waitNanos),
            new Contender.Caller(receiver, listener));
    return begin(contender, () -> contentionFor(wanted.key()).join(contender));
  }

  private Ticket begin(Contender contender, Runnable entry) {
    contenders.add(contender);
    if (shutdown.isPresent()) {
      contender.cancel();
    } else if (seenGrants.doubt().isPresent()) {
      contender.end(unsafe());
    } else {
      contender.start();
      entry.run();
    }
    return contender::cancel;
  }

  /** Whether this process acquires nothing any more. */
  boolean isClosed() {
    return shutdown.isPresent() || seenGrants.doubt().isPresent();
  }

  private Contention contentionFor(LeaseKey key) {
    return contentions.computeIfAbsent(key, k -> new Contention(environment, watch.apply(k)));
  }

  void contenderLeft(Contender contender) {
    contenders.remove(contender);
    LeaseKey key = contender.wanted().key();
    Contention contention = contentions.get(key);
    if (contention != null) {
      contention.leave(contender);
      if (contention.isEmpty()) {
        contentions.remove(key);
        contention.close();
      }
    }
  }

  void heard(Contender contender, Verdict verdict) {
    if (contender.waits()) {
      waiting(contender.wanted().key(), verdict).ifPresent(observer::observed);
    }
    contentionOf(contender).ifPresent(contention -> contention.heard(contender, verdict));
  }

  private static Optional<LeaseEvent> waiting(LeaseKey key, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Held held -> Optional.of(waiting(key, Cause.HELD, "held by " + held.holder()));
      case Verdict.Closed closed -> Optional.of(waiting(key, Cause.CLOSED, closed.reason()));
      case Verdict.Failed failed -> Optional.of(waiting(key, Cause.FAILED, failed.why()));
      default -> Optional.empty();
    };
  }

  private static LeaseEvent waiting(LeaseKey key, Cause cause, String why) {
    return new LeaseEvent.Waiting(key, cause, why);
  }

  /** An answer of the store shows that another holder has the key under this token. */
  void heldByAnother(LeaseKey key, Token token) {
    seenGrants.followedBy(key, token).ifPresent(lost -> superseded(key, lost));
  }

  private void superseded(LeaseKey key, Token token) {
    observer.observed(new LeaseEvent.Superseded(key, token));
  }

  Optional<Verdict> lastHeard(Contender contender) {
    return contentionOf(contender).flatMap(Contention::lastHeard);
  }

  private Optional<Contention> contentionOf(Contender contender) {
    return contender.waits() ? contentionOf(contender.wanted().key()) : Optional.empty();
  }

  private Optional<Contention> contentionOf(LeaseKey key) {
    return Optional.ofNullable(contentions.get(key));
  }

  /** A key may have changed: a waiter for it may ask the store. */
  public void hint(LeaseKey key) {
    contentionOf(key).ifPresent(Contention::hint);
  }

  /** A change of a key was announced; changes may be missed or come out of order. */
  public void changed(LeaseChange change) {
    Optional<Contention> contention = contentionOf(change.key());
    switch (change.kind()) {
      case RELEASED, EXPIRED, REVOKED -> contention.ifPresent(c -> c.over(change.token()));
      case GRANTED -> contention.ifPresent(c -> c.granted(change.token()));
      case SUPERSEDED -> contention.ifPresent(c -> c.superseded(change.token()));
    }
  }

  /** Takes in a grant that was answered in time, unless it shows that the store has lost writes. */
  Verdict won(HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    seenGrants.sawGrant(claimed.key(), claimed.token());
    return keep(claimed, trustUntilNanos, listener);
  }

  /**
   * The same for a grant that was handed over; one that this process already holds is not taken in
   * twice.
   */
  Verdict inherited(HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    Token token = claimed.token();
    if (keeper.trusted(claimed.key()).filter(held -> held.token().equals(token)).isPresent()) {
      return new Verdict.Rejected(claimed.key() + " under " + token + " is held here already");
    }
    seenGrants.sawInheritance(claimed.key(), token);
    return keep(claimed, trustUntilNanos, listener);
  }

  private Verdict keep(
      HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    if (seenGrants.doubt().isPresent()) {
      stopUsingTheStore();
      return unsafe();
    }
    HeldLease lease = new HeldLease(claimed, environment.now(), trustUntilNanos, listener);
    observer.observed(new LeaseEvent.Acquired(lease.key(), lease.token()));
    keeper.keep(lease);
    return new Verdict.Won(lease);
  }

  private void lost(HeldLease lease, LossReason reason) {
    switch (reason) {
      case LossReason.Unknown unknown ->
          sawUnknown(grantOf(lease), unknown, lease.trustUntilNanos());
      case LossReason.Broken broken -> Invariants.report(lease.key(), broken.what());
      case LossReason.Superseded taken -> superseded(lease.key(), lease.token());
      default -> {}
    }
    if (HeldLease.isUntold(reason) || reason instanceof LossReason.Expired) {
      seenGrants.sawLoss(lease.key(), lease.token());
    }
    hint(lease.key());
  }

  private static SeenGrants.Grant grantOf(HeldLease lease) {
    return new SeenGrants.Grant(lease.key(), lease.token());
  }

  /**
   * The store does not know a grant that this process was given, and trusted until then. That lease
   * is lost, and all others too if this shows that the store has lost writes.
   */
  void sawUnknown(SeenGrants.Grant grant, LossReason.Unknown unknown, long trustedUntilNanos) {
    seenGrants.sawUnknown(grant, unknown, environment.now() - trustedUntilNanos);
    if (seenGrants.doubt().isPresent()) {
      stopUsingTheStore();
    }
  }

  /**
   * Ends all waiting and all leases, with the reason. A store that has lost writes may have granted
   * the same keys to others, and its answers to renewals prove nothing.
   */
  private void stopUsingTheStore() {
    List.copyOf(contenders).forEach(contender -> contender.end(unsafe()));
    keeper.loseAll(new LossReason.Broken(seenGrants.doubt().orElseThrow()));
  }

  private Verdict unsafe() {
    return new Verdict.Unsafe(seenGrants.doubt().orElseThrow());
  }

  /**
   * Takes over a grant that was handed over to this instance. The heir trusts nothing before its
   * own first renewal.
   */
  public void inherit(
      AcquireRequest wanted, Token token, Verdict.Receiver receiver, HeldLease.Listener listener) {
    if (isClosed()) {
      receiver.receive(shutdown.isPresent() ? new Verdict.Cancelled() : unsafe());
      return;
    }
    new Inheritance(this, wanted, token, new Contender.Caller(receiver, listener))
        .ask(ANSWER.toNanos());
  }

  /**
   * Whether this process holds or held this grant, or is about to give it back; any other grant to
   * this process was handed over to it.
   */
  boolean isKnown(LeaseKey key, Token token) {
    return seenGrants.hasSeen(key, token) || delivery.hasUnanswered(key);
  }

  Delivery delivery() {
    return delivery;
  }

  boolean isShuttingDown() {
    return shutdown.isPresent();
  }

  /**
   * Gives a lease back, once its work has ended. The lease is not trusted from here on, and the
   * next waiter in this process may ask for the key.
   */
  public void release(HeldLease lease, Answer.Receiver<Outcome> receiver) {
    stopKeeping(lease);
    if (isOurs(lease, receiver)) {
      giveBack(lease, receiver);
    }
    shutdown.ifPresent(ending -> ending.closed(lease));
  }

  /**
   * Gives a lease up, but keeps the key from others for this time: the lease is not renewed any
   * more, and given back at the end. If the process ends earlier, the grant runs out by itself, and
   * the store keeps the key from others until then.
   */
  public LossReason releaseAfter(long keptNanos, HeldLease lease) {
    stopKeeping(lease);
    environment.after(
        keptNanos,
        () -> {
          if (shutdown.isEmpty()) {
            release(lease, answer -> {});
          }
        });
    shutdown.ifPresent(ending -> ending.closed(lease));
    return lease.over().orElseThrow();
  }

  private void giveBack(HeldLease lease, Answer.Receiver<Outcome> receiver) {
    Command release =
        new Command.Release(lease.key(), lease.token(), lease.instance(), newRequestId());
    delivery.deliver(
        release,
        lease.keptNanos(environment.now()),
        answer -> {
          if (answer.outcome() instanceof Outcome.Lost(LossReason.Unknown unknown)) {
            sawUnknown(grantOf(lease), unknown, lease.trustUntilNanos());
          }
          settled(lease, answer.outcome());
          receiver.receive(answer);
        });
    contentionOf(lease.key()).ifPresent(contention -> contention.passOn(lease.token()));
  }

  /** The store has answered the holder's last command under a grant. */
  private void settled(HeldLease lease, Outcome outcome) {
    if (outcome instanceof Outcome.Lost(LossReason.Superseded(String by, Token token))) {
      if (lease.over().orElseThrow() instanceof LossReason.Released) {
        // The holder gave it up without knowing that it was lost.
        superseded(lease.key(), lease.token());
      }
      heldByAnother(lease.key(), token);
    } else if (outcome.isFinal()) {
      seenGrants.sawEnd(lease.key(), lease.token());
    }
  }

  /**
   * Whether the holder can give the lease; otherwise tells the receiver why not. A lease that was
   * lost without the store's knowledge may still be on record, so the store is told now that the
   * work has ended, but no caller waits for that.
   */
  private boolean isOurs(HeldLease lease, Answer.Receiver<Outcome> receiver) {
    boolean owed = lease.takeOwed() && seenGrants.doubt().isEmpty();
    LossReason reason = lease.over().orElseThrow();
    boolean ours = owed && reason instanceof LossReason.Released;
    if (owed && !ours) {
      giveBack(lease, answer -> {});
    }
    if (ours) {
      observer.observed(new LeaseEvent.Released(lease.key(), lease.token()));
    }
    if (!ours) {
      receiver.receive(new Answer<>(new Outcome.Lost(reason), environment.now()));
    }
    return ours;
  }

  /**
   * Hands a lease over. The lease is not trusted from here on; if the heir cannot have it, it is
   * given back.
   */
  public void handOver(HeldLease lease, Command.Heir heir, Answer.Receiver<Outcome> receiver) {
    stopKeeping(lease);
    if (isOurs(lease, receiver)) {
      Command handOver =
          new Command.HandOver(lease.key(), lease.token(), lease.instance(), newRequestId(), heir);
      delivery.deliver(
          handOver,
          lease.keptNanos(environment.now()),
          answer -> handedOver(lease, answer, receiver));
    }
    shutdown.ifPresent(ending -> ending.closed(lease));
  }

  /**
   * If the heir cannot have the lease now, it is given back, so that the key does not stay held
   * without a holder.
   */
  private void handedOver(
      HeldLease lease, Answer<Outcome> answer, Answer.Receiver<Outcome> receiver) {
    if (answer.outcome() instanceof Outcome.Closed) {
      giveBack(lease, released -> {});
    }
    settled(lease, answer.outcome());
    receiver.receive(answer);
  }

  /**
   * Ends the work under one lease as {@link #shutDown} does: the work is told to stop, interrupted
   * after its grace, and no longer waited for after the same time again. The lease is renewed until
   * the interrupt, unless it was given up before.
   */
  public void windDown(HeldLease lease, Runnable graceOver, Runnable timeUp) {
    long grace = lease.timing().graceNanos();
    environment.after(
        grace,
        () -> {
          keeper.forget(lease);
          lease.stop();
          graceOver.run();
        });
    environment.after(2 * grace, timeUp);
    lease.tellEnding();
  }

  private void stopKeeping(HeldLease lease) {
    keeper.forget(lease);
    lease.giveUp();
  }

  /**
   * Ends everything in order: waiters are cancelled, work is told to stop and then interrupted, and
   * each lease is given back once its work has ended. Work that still runs after that keeps its key
   * from others until the grant expires.
   */
  public void shutDown(Runnable done) {
    if (shutdown.isPresent()) {
      shutdown.get().whenDone(done);
      return;
    }
    Shutdown ending = new Shutdown(environment, delivery, keeper);
    ending.whenDone(done);
    shutdown = Optional.of(ending);
    stopContending();
    ending.begin();
  }

  void abandon(AcquireRequest wanted, RequestId requestId) {
    Command abandon = new Command.Abandon(wanted.key(), wanted.instance(), requestId);
    delivery.deliver(abandon, wanted.longestGrantNanos(), answer -> {});
  }

  /** Cancels all waiters, and gives back what the store may have granted them. */
  private void stopContending() {
    List.copyOf(contenders).forEach(Contender::cancel);
  }

  public int heldCount() {
    return keeper.size();
  }
}
