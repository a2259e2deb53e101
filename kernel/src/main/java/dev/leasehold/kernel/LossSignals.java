package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.HeldLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Carries the end of a lease to whoever depends on it. Bound work is cancelled at once, in the turn
 * that found the loss; everybody else is told on another thread, since they may take their time.
 *
 * <p>All state is guarded by the monitor of this object, which is held for moments only. Futures
 * are made when asked for: most leases end without anybody asking.
 */
final class LossSignals implements HeldLease.Listener {
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
  public synchronized void lost(LossReason lossReason) {
    reason = Optional.of(lossReason);
    bound.orElse(List.of()).forEach(work -> work.cancel.run());
    whenLost.ifPresent(this::tellLost);
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

  /** Work that comes too late is cancelled right away. */
  synchronized Lease.Binding bind(Runnable cancel) {
    if (reason.isPresent()) {
      cancel.run();
    }
    Work work = new Work(cancel);
    if (bound.isEmpty()) {
      bound = Optional.of(new ArrayList<>(1));
    }
    bound.get().add(work);
    return () -> unbind(work);
  }

  /** Under the same monitor as cancelling: once it is done, no cancellation is on its way. */
  private synchronized void unbind(Work work) {
    bound.ifPresent(works -> works.remove(work));
  }

  /** Not a record: the same thread may be bound twice. */
  private static final class Work {
    final Runnable cancel;

    Work(Runnable cancel) {
      this.cancel = cancel;
    }
  }
}
