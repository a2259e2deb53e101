package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.AcquireRequest;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.engine.Verdict;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.wires.StoreWires;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The leases of a process, which needs only one of these. It renews all together, and tells each at
 * once when it is lost. Closing it ends the work in order, and then gives the leases back.
 */
public final class Leases implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Leases.class.getName());

  /** How long a close waits for the store to take the leases back. */
  private static final Duration LONGEST_RELEASE = Duration.ofSeconds(10);

  private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

  private final HolderContext context;
  private final Runnable afterwards;
  private final Holdings holdings;
  private final ReleaseAndHandOver releaseAndHandOver;
  private final LedgerReports reports;
  private final Sealing sealing;
  private final Set<LeaseKey> reserved = ConcurrentHashMap.newKeySet();

  Leases(HolderContext context, Runnable afterwards) {
    this.context = context;
    this.afterwards = afterwards;
    StoreWires wires =
        new StoreWires(
            StoreWires.Store.of(context.store()),
            new StoreWires.Threads(turns(), context.callbacks()),
            new LeasesHints());
    this.holdings = new Holdings(wires.wires(), context.environment(), context.observer());
    this.releaseAndHandOver = new ReleaseAndHandOver(holdings, turns());
    this.reports = new LedgerReports(context);
    this.sealing = new Sealing(context.charters(), reports);
    charters().forEach(reports::publish);
  }

  /** Starts from a store; {@link LeasesBuilder#open()} is all that is needed. */
  public static LeasesBuilder on(Store store) {
    return on(store.leases());
  }

  /** Starts from the leases of a store, without its other parts. */
  public static LeasesBuilder on(LeaseStore store) {
    return new LeasesBuilder(store);
  }

  /** This process's identity towards a store, for hand-overs. */
  public InstanceId instanceId() {
    return context.identity().instance().id();
  }

  /** This process's name, for people. */
  public String holder() {
    return context.identity().info().holder();
  }

  /** Time, timers and turns, for blocks. An event must neither block nor call users' code. */
  public Environment environment() {
    return context.environment();
  }

  /** Runs tasks that may block, for blocks that call users' code. */
  public Executor callbacks() {
    return context.callbacks();
  }

  /** The observers of this process, for blocks that tell them something. It returns at once. */
  public LeaseObserver observer() {
    return context.observer();
  }

  /**
   * Gives a kind of lease its charter, unless it has one, and returns the one in force. So a block
   * brings the charter of its kind, and a charter that the user has set takes precedence.
   */
  public LeaseCharter attach(LeaseCharter charter) {
    LeaseCharter inForce = context.attach(charter);
    reports.publish(inForce);
    return inForce;
  }

  /** The charters in force, in the order of their kinds. */
  public List<LeaseCharter> charters() {
    return context.charters().all();
  }

  /**
   * Records for the audit that a target has refused a claim; for a lease of this process, use
   * {@link Lease#refused}. If the store has never issued the token that the target goes by, it is a
   * suspected rollback. It returns at once, and an outage of the store only delays it.
   */
  public void refused(Claim claim, String target, Admission.Refused answer) {
    reports.refused(claim, target, answer);
    Optional<Token> token = Optional.of(claim.token());
    context.observer().observed(new LeaseEvent.Refused(claim.key(), token, target));
  }

  LeaseCharter.Handoff handoffOf(LeaseKey key) {
    return context.charters().handoffOf(key);
  }

  /**
   * Refuses, as an attempt would, a request that contradicts its charter or cannot be kept on this
   * store: for a caller that will repeat the same request, and wants to know before the first one.
   */
  public void check(LeaseRequest request) {
    context.wanted(context.charters().settle(request));
  }

  /**
   * Reserves a key for one block of this process that represents it for a long time; two such
   * blocks would take each other's part in hand-overs. Empty if already reserved. Leases are
   * unaffected.
   */
  public Optional<Reservation> reserve(LeaseKey key) {
    return reserved.add(key) ? Optional.of(() -> reserved.remove(key)) : Optional.empty();
  }

  /** A key that one block of this process represents. */
  @FunctionalInterface
  public interface Reservation extends AutoCloseable {
    @Override
    void close();
  }

  /** Acquires the key if it is free now. */
  public Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
    return acquire(request, Duration.ZERO);
  }

  /** Acquires the key, and waits for it up to this time. */
  public Acquisition acquire(LeaseRequest request, Duration wait) throws InterruptedException {
    Pending pending = begin(new Pending(context.charters().settle(request)), wait);
    try {
      return awaited(pending);
    } catch (InterruptedException e) {
      pending.cancel();
      throw e;
    }
  }

  private Acquisition awaited(Pending pending) throws InterruptedException {
    Acquisition acquisition = observed(pending, await(pending.verdict));
    awaitRelease(pending.declined);
    return acquisition;
  }

  /**
   * The same without blocking. Cancelling the future, or completing it from outside as a timeout
   * does, gives the attempt up, and the lease if it was won.
   */
  public CompletableFuture<Acquisition> acquireAsync(LeaseRequest request, Duration wait) {
    return acquired(begin(new Pending(context.charters().settle(request)), wait));
  }

  /**
   * The same for a caller that also wants to know meanwhile why it has to wait: after each request
   * the observer is told, on a thread of its own, that the key is held or closed, or that the store
   * is not available. It may be told the same repeatedly, and in any order. If the holder is this
   * process itself, the lease was handed over to it and can be inherited.
   */
  public CompletableFuture<Acquisition> acquireAsync(
      LeaseRequest request, Duration wait, Consumer<Acquisition.NotAcquired> observer) {
    return acquired(begin(new Observing(context.charters().settle(request), observer), wait));
  }

  private CompletableFuture<Acquisition> acquired(Pending pending) {
    CompletableFuture<Acquisition> future =
        pending
            .verdict
            .thenApplyAsync(
                verdict -> {
                  Acquisition acquisition = observed(pending, verdict);
                  pending.acquisition = Optional.of(acquisition);
                  return acquisition;
                },
                context.callbacks())
            .thenCompose(acquisition -> onceDeclined(pending, acquisition));
    var unused =
        future.whenComplete(
            (acquisition, failure) -> {
              // Cancelled, timed out or completed from outside: the caller has no lease.
              if (failure != null || !pending.acquisition.equals(Optional.of(acquisition))) {
                pending.cancel();
              }
            });
    return future;
  }

  /** Must not block: this may be the thread that brings the store's answer. */
  private static CompletableFuture<Acquisition> onceDeclined(
      Pending pending, Acquisition acquisition) {
    return pending
        .declined
        .thenApply(release -> acquisition)
        .completeOnTimeout(acquisition, LONGEST_RELEASE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs work on this thread while the lease is held; a loss interrupts it. */
  public <T> WorkResult<T> whileHeld(LeaseRequest request, Duration wait, WorkResult.Work<T> work)
      throws Exception {
    return switch (acquire(request, wait)) {
      case Acquisition.NotAcquired why -> new WorkResult.NotHeld<>(why);
      case Acquisition.Acquired acquired -> acquired.lease().whileHeld(work);
    };
  }

  /** Takes over the grant that was handed over to this instance under a token. */
  public Acquisition inherit(LeaseRequest request, Token token) throws InterruptedException {
    Pending pending = beginToInherit(request, token);
    try {
      return awaited(pending);
    } catch (InterruptedException e) {
      pending.cancel();
      throw e;
    }
  }

  /** The same without blocking, as {@link #acquireAsync}. */
  public CompletableFuture<Acquisition> inheritAsync(LeaseRequest request, Token token) {
    return acquired(beginToInherit(request, token));
  }

  private Pending beginToInherit(LeaseRequest request, Token token) {
    Pending pending = new Pending(context.charters().settle(request));
    AcquireRequest wanted = context.wanted(pending.request);
    turns()
        .execute(pending.guarded(() -> holdings.inherit(wanted, token, pending, pending.signals)));
    return pending;
  }

  private Pending begin(Pending pending, Duration wait) {
    AcquireRequest wanted = context.wanted(pending.request);
    turns()
        .execute(
            pending.guarded(
                () ->
                    pending.ticket =
                        wait.isPositive()
                            ? holdings.acquire(wanted, nanos(wait), pending, pending.signals)
                            : holdings.tryAcquire(wanted, pending, pending.signals)));
    return pending;
  }

  /** Cuts a wait at the longest time that a long of nanoseconds can hold. */
  private static long nanos(Duration wait) {
    return (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos();
  }

  private Acquisition observed(Pending pending, Verdict verdict) {
    Acquisition acquisition = acquisition(pending, verdict);
    if (acquisition instanceof Acquisition.NotAcquired why) {
      context.observer().observed(FailedAttempts.event(pending.request.key(), why));
    }
    return acquisition;
  }

  private Acquisition acquisition(Pending pending, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Won won -> sealOrDecline(pending, leaseOf(won.lease(), pending));
      case Verdict.Held held ->
          new Acquisition.Held(
              held.holder(),
              held.instanceId(),
              held.token(),
              Duration.ofMillis(held.remainingMillis()),
              held.lockedBy());
      case Verdict.Closed closed ->
          new Acquisition.Closed(
              closed.reason(),
              closed.remainingMillis().isPresent()
                  ? Optional.of(Duration.ofMillis(closed.remainingMillis().getAsLong()))
                  : Optional.empty());
      case Verdict.Changed changed -> new Acquisition.Changed();
      case Verdict.Gone gone -> new Acquisition.Gone(gone.reason());
      case Verdict.Failed failed -> new Acquisition.Failed(failed.why());
      case Verdict.Unsafe unsafe -> new Acquisition.Unsafe(unsafe.why());
      case Verdict.Cancelled cancelled -> new Acquisition.Cancelled();
      case Verdict.Rejected rejected -> throw new IllFormedException(rejected.why());
    };
  }

  private Lease leaseOf(HeldLease held, Pending pending) {
    return new Lease(this, held, pending.signals, pending.request.length().atLeast());
  }

  /** Declines on an error too: otherwise the lease would be renewed for ever without a holder. */
  private Acquisition sealOrDecline(Pending pending, Lease lease) {
    try {
      Acquisition acquisition = sealing.seal(pending.request, lease);
      if (acquisition instanceof Acquisition.NotAcquired) {
        pending.declined = lease.declineAsync();
      }
      return acquisition;
    } catch (Error e) {
      pending.declined = lease.declineAsync();
      throw e;
    }
  }

  ReleaseAndHandOver releaseAndHandOver() {
    return releaseAndHandOver;
  }

  long nowNanos() {
    return context.environment().ticker().nanos();
  }

  /**
   * Ends everything in order: attempts are given up, work is told to stop and gets its grace, then
   * it is interrupted. A lease is given back only once its handle is closed. A lease that is still
   * open after that expires by itself, so that no other holder follows while its work may run.
   */
  @Override
  public void close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    turns()
        .execute(
            ReleaseAndHandOver.guarded(done, () -> holdings.shutDown(() -> done.complete(null))));
    var unused = done.whenComplete((nothing, failure) -> afterwards.run());
    boolean interrupted = Thread.interrupted();
    try {
      // Bounded by the graces of the held leases, and by the longest wait for the store.
      await(done);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      reports.close();
    }
  }

  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an event failed without an answer", e);
    }
  }

  /** Bounded, and not stopped by an interrupt, because the closing thread is often interrupted. */
  static void awaitRelease(CompletableFuture<?> future) {
    boolean interrupted = Thread.interrupted();
    try {
      future.get(LONGEST_RELEASE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(Level.WARNING, "a lease could not be given back in time; it will run out", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Passes on hints and changes; there are none before the holdings exist. */
  private final class LeasesHints implements StoreWires.HintListener {
    @Override
    public void changed(LeaseChange change) {
      holdings.changed(change);
    }

    @Override
    public void reset(LeaseKey key) {
      holdings.hint(key);
    }
  }

  private Executor turns() {
    return context.environment().turns();
  }

  /** One caller that waits for a verdict. */
  private class Pending implements Verdict.Receiver {
    /** The request with the defaults of its charter. */
    final LeaseRequest request;

    final CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    final LossSignals signals = new LossSignals(context.callbacks());

    /** The result for a caller that does not block. */
    volatile Optional<Acquisition> acquisition = Optional.empty();

    /** Gives back a lease that was won but is of no use; the caller gets its result after that. */
    CompletableFuture<?> declined = CompletableFuture.completedFuture(null);

    /** Set and used in turns. */
    Holdings.Ticket ticket = () -> {};

    Pending(LeaseRequest request) {
      this.request = request;
    }

    @Override
    public void receive(Verdict told) {
      if (!verdict.complete(told) && told instanceof Verdict.Won won) {
        holdings.release(won.lease(), answer -> {});
      }
    }

    Runnable guarded(Runnable event) {
      return ReleaseAndHandOver.guarded(verdict, event);
    }

    /** Gives back a lease that was won meanwhile. */
    void cancel() {
      turns()
          .execute(
              () -> {
                ticket.cancel();
                boolean untold = verdict.complete(new Verdict.Cancelled());
                if (!untold
                    && !verdict.isCompletedExceptionally()
                    && verdict.getNow(new Verdict.Cancelled()) instanceof Verdict.Won won) {
                  holdings.release(won.lease(), answer -> {});
                }
              });
    }
  }

  /** A caller that also wants to know why it has to wait. */
  private final class Observing extends Pending implements Verdict.Observer {
    private final Consumer<Acquisition.NotAcquired> observer;

    Observing(LeaseRequest request, Consumer<Acquisition.NotAcquired> observer) {
      super(request);
      this.observer = observer;
    }

    @Override
    public void heard(Verdict meanwhile) {
      if (acquisition(this, meanwhile) instanceof Acquisition.NotAcquired why) {
        context.callbacks().execute(() -> observer.accept(why));
      }
    }
  }
}
