package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.HeldLease;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * Carries the end of a lease to whoever depends on it. Bound threads are interrupted at once, in
 * the turn that found the loss. Everybody else is told on another thread, since they may take their
 * time: cancelling a task can run whatever its owner has chained to it.
 *
 * <p>All state is guarded by the monitor of this object, which is held for moments only. Futures
 * are made when asked for: most leases end without anybody asking.
 */
final class LossSignals implements HeldLease.Listener {
  private static final System.Logger LOG = System.getLogger(LossSignals.class.getName());

  private final Executor callbacks;
  private Optional<List<Work>> bound = Optional.empty();
  private Optional<CompletableFuture<Void>> whenEnding = Optional.empty();
  private Optional<CompletableFuture<LossReason>> whenLost = Optional.empty();
  private Optional<LossReason> reason = Optional.empty();
  private boolean ending;

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
    for (Work work : lose(lossReason)) {
      work.executor.execute(work::cancel);
    }
  }

  private synchronized List<Work> lose(LossReason lossReason) {
    reason = Optional.of(lossReason);
    whenLost.ifPresent(this::tellLost);
    return bound.map(List::copyOf).orElse(List.of());
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

  private void tellEnding(CompletableFuture<Void> future) {
    callbacks.execute(() -> future.complete(null));
  }

  private void tellLost(CompletableFuture<LossReason> future) {
    LossReason why = reason.orElseThrow();
    callbacks.execute(() -> future.complete(why));
  }

  /** An interrupt runs nobody's code, so it does not have to wait for a thread. */
  Lease.Binding bind(Thread thread) {
    return bind(new Work(Runnable::run, thread::interrupt));
  }

  Lease.Binding bind(Future<?> task) {
    return bind(new Work(callbacks, () -> task.cancel(true)));
  }

  /** Work that comes too late is cancelled right away. */
  private Lease.Binding bind(Work work) {
    if (!isJoinedBy(work)) {
      work.cancel();
    }
    return () -> unbind(work);
  }

  private synchronized boolean isJoinedBy(Work work) {
    if (reason.isPresent()) {
      return false;
    }
    if (bound.isEmpty()) {
      bound = Optional.of(new ArrayList<>(1));
    }
    return bound.get().add(work);
  }

  private void unbind(Work work) {
    leave(work);
    work.end();
  }

  private synchronized void leave(Work work) {
    bound.ifPresent(works -> works.remove(work));
  }

  /** Not a record: the same thread may be bound twice. Guarded by its own monitor. */
  private static final class Work {
    final Executor executor;
    private final Runnable cancel;
    private boolean ended;

    Work(Executor executor, Runnable cancel) {
      this.executor = executor;
      this.cancel = cancel;
    }

    synchronized void cancel() {
      if (!ended) {
        try {
          cancel.run();
        } catch (RuntimeException e) {
          LOG.log(Level.ERROR, "work that lost its lease could not be cancelled", e);
        }
      }
    }

    /** Under the same monitor as cancelling: once it is done, no cancellation is on its way. */
    synchronized void end() {
      ended = true;
    }
  }
}
