package dev.leasehold.blocks.leader;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.LossReason;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * This replica's part in electing one leader among those that use the same name on the same store.
 * It goes on for as long as it is open: a term that is lost is followed by another candidacy, once
 * all that ran under it has ended.
 *
 * <p>Leadership is a {@link Term}, and never a yes or no: by the time somebody acts on a yes, it
 * may be a no. So work runs under a term, as a {@link LeaderLoop} or by {@link #whileLeading}, and
 * brings its claim to what it changes.
 */
public final class Election implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Election.class.getName());

  private final ElectionRunner replica;

  Election(ElectionRunner replica) {
    this.replica = replica;
  }

  /** Gets a replica ready before it leads; it may take its time. */
  @FunctionalInterface
  public interface WarmUp {
    void run() throws Exception;
  }

  /** An election on what this process holds; {@link On#named} says which. */
  public static On on(Leases leases) {
    return name -> new ElectionBuilder(leases, name);
  }

  /** Where an election takes place. */
  @FunctionalInterface
  public interface On {
    /** The key of the lease is {@code leader/} and this name. */
    ElectionBuilder named(String name);
  }

  /**
   * Runs work on this thread while this replica leads, and waits up to this time until it does;
   * with a wait of nothing, now or not at all. Loss interrupts it, and a replica that steps down
   * waits for its end. That it has ended does not end the term: close the election for that.
   *
   * <p>Work that lasts says now and then that it has {@linkplain Leading#progressed() progressed}.
   */
  public <T> LeaderWorkResult<T> whileLeading(Duration wait, LeaderWorkResult.Work<T> work)
      throws Exception {
    CompletableFuture<Optional<WorkSlot>> told = replica.enter(wait);
    Optional<WorkSlot> slot;
    try {
      slot = told.get();
    } catch (InterruptedException e) {
      if (told.complete(Optional.empty())) {
        replica.removeCancelled();
      } else {
        told.join().ifPresent(replica::leave);
      }
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an event failed without an answer", e);
    }
    return slot.isEmpty()
        ? new LeaderWorkResult.NotLeading<>(replica.status().leader())
        : run(slot.get(), work);
  }

  private <T> LeaderWorkResult<T> run(WorkSlot slot, LeaderWorkResult.Work<T> work)
      throws Exception {
    Lease lease = slot.runner().lease();
    Lease.Binding binding = lease.bind(Thread.currentThread());
    try {
      T result = work.run(slot.leading());
      Optional<LossReason> loss = lossAtTheEnd(lease, binding);
      return loss.isPresent()
          ? lost(loss.get(), Optional.empty())
          : new LeaderWorkResult.Done<>(result);
    } catch (Exception e) {
      Optional<LossReason> loss = lossAtTheEnd(lease, binding);
      if (loss.isEmpty()) {
        throw e;
      }
      return lost(loss.get(), Optional.of(e));
    } finally {
      binding.close();
      replica.leave(slot);
    }
  }

  /** After the binding is closed no interrupt is on its way any more. */
  private static Optional<LossReason> lossAtTheEnd(Lease lease, Lease.Binding binding) {
    binding.close();
    return lease.lossReason();
  }

  /** The interrupt that came with the loss was for the work, and the work has ended. */
  private static <T> LeaderWorkResult<T> lost(LossReason reason, Optional<Exception> thrown) {
    Thread.interrupted();
    return new LeaderWorkResult.LostMeanwhile<>(reason, thrown);
  }

  /**
   * Leads no longer: the work is told to stop, interrupted after its grace, and once it has ended
   * the lease is given back. For a moment this replica is no candidate, so that another can win.
   * Completes when all that is done, so work that waits for it would wait for itself.
   */
  public CompletionStage<StepDownResult> stepDown() {
    return replica.stepDown(Optional.empty()).minimalCompletionStage();
  }

  /**
   * The same, but the lease goes to that replica, with the gap or overlap that the charter of kind
   * {@code leader} prefers. With a gap all work has ended before; with an overlap the lease goes at
   * once, and the work may wind down for its grace. The heir takes it up by itself.
   */
  public CompletionStage<StepDownResult> handOver(Heir heir) {
    if (heir.instanceId().equals(replica.self().instanceId())) {
      throw new IllFormedException("a leader cannot hand over to itself: step down instead");
    }
    return replica.stepDown(Optional.of(heir)).minimalCompletionStage();
  }

  /**
   * Runs the warm-up, and then says to whom a leader is to hand over: with an overlap the token
   * moves only to who is ready. It is up to you to bring this to the leader.
   */
  public CompletionStage<Heir> standReady() {
    return replica.warmUp().minimalCompletionStage();
  }

  /**
   * Takes up what was handed over to this replica under a token. A candidate does so by itself when
   * the store tells it, mostly within a tenth of a second; whoever hears of it from the leader can
   * be faster.
   */
  public void inherit(Token token) {
    replica.inherit(token);
  }

  /** How it stands, computed now. */
  public ElectionStatus status() {
    return replica.status();
  }

  /**
   * Ends it: loops stop first, then the lease is given back, so that another replica can follow at
   * once. It waits for that. Work that does not end although it was interrupted is not waited for
   * any longer after as much time again; its lease is not given back, but runs out.
   */
  @Override
  public void close() {
    close(replica.longestClose());
  }

  /** Bounded on its own: the timers of a {@code Leases} that was closed before do not run. */
  void close(Duration longest) {
    CompletableFuture<Void> closed = replica.close();
    boolean interrupted = Thread.interrupted();
    try {
      closed.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (TimeoutException e) {
      LOG.log(
          Level.WARNING,
          "{0}: {1} is not waited for any longer, but still runs: {2}",
          status().name(),
          status().replica(),
          status().stillRunning());
    } catch (ExecutionException e) {
      throw new IllegalStateException("an event failed without an answer", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
