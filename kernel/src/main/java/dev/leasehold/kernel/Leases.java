package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.engine.Verdict;
import dev.leasehold.kernel.engine.Wanted;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
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
 * What a process holds. One is enough for a process: it renews all its leases together, and tells
 * each at once when it is lost. Closing it ends the work behind the leases in order, and then gives
 * them back.
 */
public final class Leases implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Leases.class.getName());

  /** How long giving back may hold up whoever closes. */
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(10);

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
            new Heard());
    this.holdings = new Holdings(wires.wires(), context.environment());
    this.releaseAndHandOver = new ReleaseAndHandOver(holdings, turns());
    this.reports = new LedgerReports(context);
    this.sealing = new Sealing(context.charters(), reports);
    charters().forEach(reports::publish);
  }

  /** Starts from a store; {@link LeasesBuilder#open()} is all that is needed. */
  public static LeasesBuilder on(LeaseStore store) {
    return new LeasesBuilder(store);
  }

  /** Who this process is to a store, for hand-overs. */
  public InstanceId instanceId() {
    return context.identity().instance().id();
  }

  /** Who this process is to people. */
  public String holder() {
    return context.identity().info().holder();
  }

  /**
   * What blocks are built from: the time, the waiting and the turns of this process. An event in a
   * turn must not block and must not call users' code.
   */
  public Environment environment() {
    return context.environment();
  }

  /** Runs what may take its time, for blocks that tell users something. */
  public Executor callbacks() {
    return context.callbacks();
  }

  /**
   * Gives a kind of lease its charter, unless it has one, and says which one is in force. So a
   * block brings the charter of its kind, and what the user has written for it goes before.
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
   * Writes down, for the audit, that a target has refused a claim; {@link Lease#refused} says it of
   * one's own. If the store has never issued the number that the target goes by, it is a suspected
   * rollback. It returns at once, and an outage of the store only delays it.
   */
  public void refused(Claim claim, String target, Admission.Refused answer) {
    reports.refused(claim, target, answer);
  }

  LeaseCharter.Handoff handoffOf(LeaseKey key) {
    return context.charters().handoffOf(key);
  }

  /**
   * Refuses, as an attempt would, what contradicts its charter or cannot be kept on this store: for
   * whoever asks for the same again and again, and wants to know before the first time.
   */
  public void check(LeaseRequest request) {
    context.wanted(context.charters().settle(request));
  }

  /**
   * Reserves a key for one block of this process that stands for it for long: two would take each
   * other's part in hand-overs. Empty if it is reserved already. Leases of the key are not
   * affected.
   */
  public Optional<Reservation> reserve(LeaseKey key) {
    return reserved.add(key) ? Optional.of(() -> reserved.remove(key)) : Optional.empty();
  }

  /** A key that one block of this process stands for. */
  @FunctionalInterface
  public interface Reservation extends AutoCloseable {
    @Override
    void close();
  }

  /** Takes the key if it can be had now. */
  public Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
    return acquire(request, Duration.ZERO);
  }

  /** Takes the key, and waits for it up to this time. */
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
    Acquisition acquisition = acquisition(pending, await(pending.verdict));
    awaitGoodbye(pending.declined);
    return acquisition;
  }

  /**
   * The same for whoever does not want to block. A future that is cancelled, or completed from
   * outside as by a timeout, gives the attempt up and what it may have won.
   */
  public CompletableFuture<Acquisition> acquireAsync(LeaseRequest request, Duration wait) {
    return acquired(begin(new Pending(context.charters().settle(request)), wait));
  }

  /**
   * The same for whoever also wants to know meanwhile why it has to wait: told on a thread of its
   * own after each ask, which may be often the same, and in any order. Somebody has it, it is
   * closed, or the store is not available. If this process is told of itself, the lease was handed
   * over to it and can be inherited.
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
                  Acquisition acquisition = acquisition(pending, verdict);
                  pending.acquisition = Optional.of(acquisition);
                  return acquisition;
                },
                context.callbacks())
            .thenCompose(acquisition -> onceDeclined(pending, acquisition));
    var unused =
        future.whenComplete(
            (acquisition, failure) -> {
              // Cancelled, timed out, or completed with something else: nobody has the lease.
              if (failure != null || !pending.acquisition.equals(Optional.of(acquisition))) {
                pending.cancel();
              }
            });
    return future;
  }

  /** Without a thread that waits: it may be the one that the store's answer is brought by. */
  private static CompletableFuture<Acquisition> onceDeclined(
      Pending pending, Acquisition acquisition) {
    return pending
        .declined
        .thenApply(release -> acquisition)
        .completeOnTimeout(acquisition, LONGEST_GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs work on this thread while the lease is held; loss interrupts it. */
  public <T> WorkResult<T> whileHeld(LeaseRequest request, Duration wait, WorkResult.Work<T> work)
      throws Exception {
    return switch (acquire(request, wait)) {
      case Acquisition.NotAcquired why -> new WorkResult.NotHeld<>(why);
      case Acquisition.Acquired acquired -> acquired.lease().whileHeld(work);
    };
  }

  static <T> WorkResult<T> run(Lease lease, WorkResult.Work<T> work) throws Exception {
    try (lease) {
      T result;
      Optional<LossReason> loss;
      Lease.Binding binding = lease.bind(Thread.currentThread());
      try {
        result = work.run(lease);
        loss = lossAtTheEnd(lease, binding);
      } catch (Exception e) {
        loss = lossAtTheEnd(lease, binding);
        if (loss.isEmpty()) {
          throw e;
        }
        return lost(loss.get(), Optional.of(e));
      } finally {
        binding.close();
      }
      return loss.isPresent() ? lost(loss.get(), Optional.empty()) : new WorkResult.Done<>(result);
    }
  }

  /**
   * Looks before the binding is closed, since the lease may be handed over right then; and after,
   * when no interrupt is on its way any more. Work that gave its lease up by itself lost nothing.
   */
  private static Optional<LossReason> lossAtTheEnd(Lease lease, Lease.Binding binding) {
    Optional<LossReason> before = lease.lossBeforeGivenUp();
    binding.close();
    return before.or(lease::toldLoss);
  }

  /** The interrupt that came with the loss was for the work, and the work has ended. */
  private static <T> WorkResult<T> lost(LossReason reason, Optional<Exception> thrown) {
    Thread.interrupted();
    return new WorkResult.LostMeanwhile<>(reason, thrown);
  }

  /** Takes over what was handed over to this instance under a token. */
  public Acquisition inherit(LeaseRequest request, Token token) throws InterruptedException {
    Pending pending = beginToInherit(request, token);
    try {
      return awaited(pending);
    } catch (InterruptedException e) {
      pending.cancel();
      throw e;
    }
  }

  /** The same for whoever does not want to block, as {@link #acquireAsync} is. */
  public CompletableFuture<Acquisition> inheritAsync(LeaseRequest request, Token token) {
    return acquired(beginToInherit(request, token));
  }

  private Pending beginToInherit(LeaseRequest request, Token token) {
    Pending pending = new Pending(context.charters().settle(request));
    Wanted wanted = context.wanted(pending.request);
    turns()
        .execute(pending.guarded(() -> holdings.inherit(wanted, token, pending, pending.signals)));
    return pending;
  }

  private Pending begin(Pending pending, Duration wait) {
    Wanted wanted = context.wanted(pending.request);
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

  /** For ever is as long as can be counted. */
  private static long nanos(Duration wait) {
    return (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos();
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

  /** An error would leave a lease behind that nobody has, and that is renewed for ever. */
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
   * it is interrupted; a lease is given back only once its handle is closed. What is not closed by
   * then is left to run out, so that nobody follows while its work still runs.
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
      // Bounded by the graces of what is held, and by how long the store is waited for.
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

  /** Bounded, and not stopped by an interrupt: a thread is often interrupted when it closes. */
  static void awaitGoodbye(CompletableFuture<?> future) {
    boolean interrupted = Thread.interrupted();
    try {
      future.get(LONGEST_GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Passes on what is heard; nothing is before there are holdings. */
  private final class Heard implements StoreWires.Heard {
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
  private class Pending implements Verdict.Taker {
    /** As the charter of its kind has settled it. */
    final LeaseRequest request;

    final CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    final LossSignals signals = new LossSignals(context.callbacks());

    /** What is given to a caller that does not block. */
    volatile Optional<Acquisition> acquisition = Optional.empty();

    /** What was won and could not be used is given back; until then nobody is told. */
    CompletableFuture<?> declined = CompletableFuture.completedFuture(null);

    /** Set and used in turns. */
    Holdings.Ticket ticket = () -> {};

    Pending(LeaseRequest request) {
      this.request = request;
    }

    @Override
    public void take(Verdict told) {
      if (!verdict.complete(told) && told instanceof Verdict.Won won) {
        holdings.release(won.lease(), answer -> {});
      }
    }

    Runnable guarded(Runnable event) {
      return ReleaseAndHandOver.guarded(verdict, event);
    }

    /** What was won in the meantime is given back. */
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

  /** One that also wants to know why it has to wait. */
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
