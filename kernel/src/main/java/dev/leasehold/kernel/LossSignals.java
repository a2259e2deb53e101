package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.model.LossReason;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Tells all that depend on a lease that it ends, and knows when no bound work is left. Bound
 * threads are interrupted at once, in the turn that found the loss. Listeners and bound tasks are
 * told on another thread, because they may block: cancelling a task can run code that its owner has
 * chained to it.
 *
 * <p>All state is guarded by the monitor of this object, which is held for moments only. Futures
 * are created on demand, since most leases end without a caller asking for one. Bound work is a
 * linked chain, usually of one thread: a list would take more memory than everything else here.
 */
final class LossSignals implements HeldLease.Listener {
  private static final System.Logger LOG = System.getLogger(LossSignals.class.getName());

  private final Executor callbacks;
  private @Nullable BoundWork lastBound;
  private Optional<CompletableFuture<Void>> whenEnding = Optional.empty();
  private Optional<CompletableFuture<LossReason>> whenLost = Optional.empty();
  private Optional<CompletableFuture<Void>> whenAtRest = Optional.empty();
  private Optional<LossReason> reason = Optional.empty();
  private boolean ending;
  private boolean givenUp;

  LossSignals(Executor callbacks) {
    this.callbacks = callbacks;
  }

  @Override
  public synchronized void ending() {
    ending = true;
    whenEnding.ifPresent(this::tellEnding);
  }

  @Override
  public void lost(LossReason lossReason) {
    for (BoundWork work : lose(lossReason)) {
      work.executor().execute(work::cancel);
    }
  }

  private synchronized List<BoundWork> lose(LossReason lossReason) {
    reason = Optional.of(lossReason);
    whenLost.ifPresent(this::tellLost);
    List<BoundWork> bound = new ArrayList<>();
    for (BoundWork work = lastBound; work != null; work = work.boundBefore) {
      bound.add(work);
    }
    return bound.reversed();
  }

  /** The holder gives the lease up: listeners are not told, and no work can be bound any more. */
  synchronized void giveUp(Optional<LossReason> lostBefore) {
    if (!givenUp && reason.isEmpty()) {
      reason = lostBefore;
      reason.ifPresent(why -> whenLost.ifPresent(this::tellLost));
    }
    givenUp = true;
  }

  /** Cancels the work that is still bound to a lease that was given up. */
  void stopWorkThatIsLeft() {
    if (isAnyWorkBound()) {
      lost(new LossReason.Released());
    }
  }

  private synchronized boolean isAnyWorkBound() {
    return lastBound != null;
  }

  synchronized boolean isGivenUp() {
    return givenUp;
  }

  /** The loss that was reported, or found when the lease was given up. */
  synchronized Optional<LossReason> reason() {
    return reason;
  }

  synchronized boolean isEnding() {
    return ending;
  }

  synchronized CompletionStage<Void> whenEnding() {
    if (whenEnding.isEmpty()) {
      whenEnding = Optional.of(new CompletableFuture<>());
      if (ending) {
        tellEnding(whenEnding.get());
      }
    }
    return whenEnding.get().minimalCompletionStage();
  }

  synchronized CompletionStage<LossReason> whenLost() {
    if (whenLost.isEmpty()) {
      whenLost = Optional.of(new CompletableFuture<>());
      if (reason.isPresent()) {
        tellLost(whenLost.get());
      }
    }
    return whenLost.get().minimalCompletionStage();
  }

  /**
   * Completes as soon as no work is bound, on the thread that ends the last work; from then on no
   * work can be bound. So a caller that ends its work and then closes the lease finds the follow-up
   * already submitted.
   */
  CompletionStage<Void> whenAtRest() {
    CompletableFuture<Void> atRest = atRest();
    completeIfAtRest();
    return atRest.minimalCompletionStage();
  }

  private synchronized CompletableFuture<Void> atRest() {
    if (whenAtRest.isEmpty()) {
      whenAtRest = Optional.of(new CompletableFuture<>());
    }
    return whenAtRest.get();
  }

  /** The lease is over, so its end no longer waits for bound work. */
  void waitNoLongerForRest() {
    restAwaited().ifPresent(atRest -> atRest.complete(null));
  }

  private synchronized Optional<CompletableFuture<Void>> restAwaited() {
    return whenAtRest;
  }

  /** Completed outside the monitor, because the dependents run foreign code. */
  private void completeIfAtRest() {
    takeRest().ifPresent(atRest -> atRest.complete(null));
  }

  private synchronized Optional<CompletableFuture<Void>> takeRest() {
    if (lastBound != null || whenAtRest.isEmpty()) {
      return Optional.empty();
    }
    givenUp = true;
    return whenAtRest;
  }

  private void tellEnding(CompletableFuture<Void> future) {
    callbacks.execute(() -> future.complete(null));
  }

  private void tellLost(CompletableFuture<LossReason> future) {
    LossReason why = reason.orElseThrow();
    callbacks.execute(() -> future.complete(why));
  }

  Lease.Binding bind(Thread thread) {
    return bind(new BoundThread(this, thread));
  }

  Lease.Binding bind(Future<?> task) {
    return bind(new BoundTask(this, task));
  }

  /** Whether this thread is bound: then it cannot wait for all work to end. */
  synchronized boolean isBound(Thread thread) {
    for (BoundWork work = lastBound; work != null; work = work.boundBefore) {
      if (work instanceof BoundThread bound && bound.thread.equals(thread)) {
        return true;
      }
    }
    return false;
  }

  /** Work that is bound after the loss is cancelled at once. */
  private Lease.Binding bind(BoundWork work) {
    if (!isJoinedBy(work)) {
      work.cancel();
    }
    return work;
  }

  private synchronized boolean isJoinedBy(BoundWork work) {
    if (givenUp || reason.isPresent()) {
      return false;
    }
    work.boundBefore = lastBound;
    lastBound = work;
    return true;
  }

  private synchronized void leave(BoundWork leaving) {
    if (leaving.equals(lastBound)) {
      lastBound = leaving.boundBefore;
      return;
    }
    for (BoundWork work = lastBound; work != null; work = work.boundBefore) {
      if (leaving.equals(work.boundBefore)) {
        work.boundBefore = leaving.boundBefore;
        return;
      }
    }
  }

  /** One binding; a thread may be bound twice. Guarded by its own monitor, except the chain. */
  private abstract static class BoundWork implements Lease.Binding {
    final LossSignals signals;
    @Nullable BoundWork boundBefore;
    private boolean ended;

    BoundWork(LossSignals signals) {
      this.signals = signals;
    }

    abstract Executor executor();

    abstract void stop();

    final synchronized void cancel() {
      if (!ended) {
        try {
          stop();
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, "work that lost its lease could not be cancelled", e);
        }
      }
    }

    @Override
    public final void close() {
      end();
      signals.leave(this);
      signals.completeIfAtRest();
    }

    /**
     * Takes the same monitor as cancelling, so that no cancellation can happen after it returns.
     */
    private synchronized void end() {
      ended = true;
    }
  }

  private static final class BoundThread extends BoundWork {
    final Thread thread;

    BoundThread(LossSignals signals, Thread thread) {
      super(signals);
      this.thread = thread;
    }

    /** An interrupt runs no foreign code, so it needs no other thread. */
    @Override
    Executor executor() {
      return Runnable::run;
    }

    @Override
    void stop() {
      thread.interrupt();
    }
  }

  private static final class BoundTask extends BoundWork {
    private final Future<?> task;

    BoundTask(LossSignals signals, Future<?> task) {
      super(signals);
      this.task = task;
    }

    @Override
    Executor executor() {
      return signals.callbacks;
    }

    @Override
    void stop() {
      task.cancel(true);
    }
  }
}
