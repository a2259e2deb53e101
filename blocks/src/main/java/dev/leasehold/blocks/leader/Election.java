package dev.leasehold.blocks.leader;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.LossReason;
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
 * After a term is lost, the replica becomes a candidate again once all work of the term has ended,
 * until the election is closed.
 *
 * <p>Leadership is a {@link Term} and not a boolean, which could be outdated when the caller acts
 * on it. Work runs under a term, as a {@link LeaderLoop} or by {@link #whileLeading}, and brings
 * its claim to what it changes.
 */
public final class Election implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Election.class.getName());

  private final ElectionRunner replica;

  Election(ElectionRunner replica) {
    this.replica = replica;
  }

  /** Prepares a replica before it leads; it may block. */
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
   * Runs work on this thread while this replica leads, and waits up to this time until it does; a
   * wait of zero does not wait. Loss of the term interrupts the work, and a replica that steps down
   * waits for its end. The term goes on after the work has ended.
   *
   * <p>Long work reports its {@linkplain Leading#progressed() progress} from time to time.
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

  /** Closes the binding first: after that no interrupt can come. */
  private static Optional<LossReason> lossAtTheEnd(Lease lease, Lease.Binding binding) {
    binding.close();
    return lease.lossReason();
  }

  /** Clears the interrupt that came with the loss: it was meant for the work. */
  private static <T> LeaderWorkResult<T> lost(LossReason reason, Optional<Exception> thrown) {
    Thread.interrupted();
    return new LeaderWorkResult.LostMeanwhile<>(reason, thrown);
  }

  /**
   * Steps down: tells the work to stop, interrupts it after its grace, and releases the lease once
   * it has ended. For a moment this replica is no candidate, so that another can win. Completes
   * after all that, so work must not wait for it.
   */
  public CompletionStage<StepDownResult> stepDown() {
    return replica.stepDown(Optional.empty()).minimalCompletionStage();
  }

  /**
   * Steps down and hands the lease over to that replica, with the gap or overlap that the charter
   * of kind {@code leader} prefers. With a gap all work ends first; with an overlap the lease goes
   * at once, and the work has its grace to stop. The heir begins its term by itself.
   */
  public CompletionStage<StepDownResult> handOver(Heir heir) {
    if (heir.instanceId().equals(replica.self().instanceId())) {
      throw new IllFormedException("a leader cannot hand over to itself: step down instead");
    }
    return replica.stepDown(Optional.of(heir)).minimalCompletionStage();
  }

  /**
   * Runs the warm-up, then completes with the heir that a leader can hand over to. The caller
   * passes it to the leader.
   */
  public CompletionStage<Heir> standReady() {
    return replica.warmUp().minimalCompletionStage();
  }

  /**
   * Begins the term that was handed over to this replica under a token. A candidate does so by
   * itself when the store tells it, mostly within a tenth of a second; a caller that hears of the
   * hand-over from the leader can call this earlier.
   */
  public void inherit(Token token) {
    replica.inherit(token);
  }

  /** The current status. */
  public ElectionStatus status() {
    return replica.status();
  }

  /**
   * Stops the loops, then releases the lease, so that another replica can lead at once, and waits
   * for both. Work that does not end although it was interrupted keeps the lease until it expires;
   * this method stops waiting for it after a timeout.
   */
  @Override
  public void close() {
    close(replica.longestClose());
  }

  /** Has its own timeout: the timers of a {@code Leases} that was closed before do not run. */
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
