package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * A lease that this process holds. It belongs to no thread, is renewed automatically, and can be
 * lost: check it before each step, bind the work to it, and bring its {@link #claim()} to the
 * targets that you change. Close it when the work has ended, to give the key back.
 */
public final class Lease implements Holding, AutoCloseable {
  private final Leases leases;
  private final String holder;
  private final HeldLease held;
  private final LossSignals signals;
  private final long keptUntilNanos;

  Lease(Leases leases, HeldLease held, LossSignals signals, Duration atLeast) {
    this.leases = leases;
    this.holder = leases.holder();
    // Counted from when the answer arrived, which is later than the grant.
    this.keptUntilNanos = leases.nowNanos() + atLeast.toNanos();
    this.held = held;
    this.signals = signals;
  }

  public LeaseKey key() {
    return held.key();
  }

  /** The token that targets compare. It never changes while the lease lasts. */
  public Token token() {
    return held.token();
  }

  /** The claim to bring to a target: key, token and the id of this instance. */
  @Override
  public Claim claim() {
    return new Claim(key(), token(), holder).ofInstance(leases.instanceId().text());
  }

  /**
   * Records for the audit that a target has refused this lease. Usually a later holder has
   * followed. If the store has issued no token as high as the target's mark, or the grant is still
   * current, the store may have lost writes; this is reported as a suspected rollback. It returns
   * at once.
   */
  public void refused(String target, Admission.Refused answer) {
    leases.refused(claim(), target, answer);
  }

  /**
   * How long the holder may still trust the lease, computed now; zero when it may not. The process
   * can pause after asking, so a step that began in time may end too late: the target's check stops
   * that.
   */
  @Override
  public Duration trust() {
    return Duration.ofNanos(held.trustNanos(leases.nowNanos()));
  }

  /**
   * Throws if the lease is over, or if its trust has run out.
   *
   * @throws LeaseLostException with the reason
   */
  @Override
  public void ensureHeld() {
    ensureHeldFor(Duration.ofNanos(1));
  }

  /**
   * The same, before a step that takes this long.
   *
   * @throws TooLittleTrustException if it is held, but may not be trusted for that long
   */
  public void ensureHeldFor(Duration atLeast) {
    Duration left = trust();
    if (left.isZero()) {
      throw new LeaseLostException(key(), token(), notTrusted());
    }
    if (left.compareTo(atLeast) < 0) {
      throw new TooLittleTrustException(key(), left, atLeast);
    }
  }

  /**
   * Reports that the work has made progress. With a stall limit, a lease without progress is lost.
   */
  public void progressed() {
    ensureHeld();
    held.progressed();
  }

  /**
   * Completes when the work should stop: the trust ends after the stop grace, or the lease is lost.
   */
  public CompletionStage<Void> ending() {
    return signals.whenEnding();
  }

  /** Whether the work should stop. */
  public boolean isEnding() {
    return signals.isEnding() || trust().isZero();
  }

  /** Completes with the reason when the lease is lost; never completes if it is given back. */
  public CompletionStage<LossReason> lost() {
    return signals.whenLost();
  }

  /** Why it is over; empty while it is not. */
  public Optional<LossReason> lossReason() {
    Optional<LossReason> told = held.over();
    return told.isEmpty() && trust().isZero() ? Optional.of(notTrusted()) : told;
  }

  /** The reason that the engine has given, else one computed from the time. It does not wait. */
  private LossReason notTrusted() {
    return held.whyNotTrusted();
  }

  /** Interrupts this thread when the lease is lost, until the binding is closed. */
  public Binding bind(Thread thread) {
    return signals.bind(thread);
  }

  /** Cancels this task when the lease is lost, until the binding is closed. */
  public Binding bind(Future<?> task) {
    return signals.bind(task);
  }

  /** Runs work on this thread and closes the lease afterwards. A loss interrupts the work. */
  public <T> WorkResult<T> whileHeld(WorkResult.Work<T> work) throws Exception {
    try (Lease lease = this) {
      T result;
      Optional<LossReason> loss;
      Binding binding = bind(Thread.currentThread());
      try {
        result = work.run(lease);
        loss = lossAtTheEnd(binding);
      } catch (Exception e) {
        loss = lossAtTheEnd(binding);
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
   * when no interrupt can come any more. Work that gave its lease up by itself lost nothing.
   */
  private Optional<LossReason> lossAtTheEnd(Binding binding) {
    Optional<LossReason> before = signals.isGivenUp() ? signals.reason() : lossReason();
    binding.close();
    return before.or(signals::reason);
  }

  /** The interrupt that came with the loss was for the work, and the work has ended. */
  private static <T> WorkResult<T> lost(LossReason reason, Optional<Exception> thrown) {
    Thread.interrupted();
    return new WorkResult.LostMeanwhile<>(reason, thrown);
  }

  /** Work that is cancelled when the lease is lost. */
  public interface Binding extends AutoCloseable {
    /** The work has ended: once this returns, it is not cancelled any more. */
    @Override
    void close();
  }

  /** Hands the lease over, with the gap or overlap that the charter of its kind prefers. */
  public Release handOver(String to, InstanceId toInstanceId) throws InterruptedException {
    return handOver(to, toInstanceId, leases.handoffOf(key()));
  }

  /**
   * Hands the lease over, so that the key is never free in between, and returns the result.
   *
   * <p>With a {@link LeaseCharter.Handoff#GAP} the work ends first: what is bound is told that it
   * is {@linkplain #ending() ending}, interrupted after its grace, and waited for as long again.
   * The lease is handed over only when all bindings are closed; otherwise the result is {@link
   * Release.StillRunning}. The lease does not know work that is not bound: end it before.
   *
   * <p>With an {@link LeaseCharter.Handoff#OVERLAP} it is handed over at once. This handle is over
   * when the call begins; bound work is told to stop, and interrupted after its grace.
   *
   * <p>If the caller is interrupted while it waits, it does not get the result; the hand-over goes
   * on.
   */
  public Release handOver(String to, InstanceId toInstanceId, LeaseCharter.Handoff handoff)
      throws InterruptedException {
    if (handoff == LeaseCharter.Handoff.GAP) {
      requireUnbound(Thread.currentThread());
    }
    return Leases.await(handOverAsync(to, toInstanceId, handoff).toCompletableFuture());
  }

  /** The same without blocking. Bound work must not wait for the result. */
  public CompletionStage<Release> handOverAsync(
      String to, InstanceId toInstanceId, LeaseCharter.Handoff handoff) {
    if (toInstanceId.equals(leases.instanceId())) {
      throw new IllFormedException("a grant cannot be handed over to its own holder");
    }
    Command.Heir heir = new Command.Heir(to, toInstanceId);
    return switch (handoff) {
      case GAP -> leases.releaseAndHandOver().handOverWithGap(held, signals, heir);
      case OVERLAP -> {
        giveUp();
        yield leases.releaseAndHandOver().handOverWithOverlap(held, signals, heir);
      }
    };
  }

  /** A bound thread would wait for itself. */
  private void requireUnbound(Thread caller) {
    if (signals.isBound(caller)) {
      throw new IllegalStateException(
          "this thread is bound to the "
              + this
              + ", and a hand-over with a gap waits until its work has ended: close the binding"
              + " first, call from another thread, or hand over with an overlap");
    }
  }

  /** Gives the key back, and returns the result. The caller has ended its work before. */
  public Release release() throws InterruptedException {
    giveUp();
    return Leases.await(leases.releaseAndHandOver().release(held, signals, kept()));
  }

  /** The same without blocking. */
  public CompletionStage<Release> releaseAsync() {
    giveUp();
    return leases.releaseAndHandOver().release(held, signals, kept());
  }

  /**
   * Begins to end the work under the lease: bound work is told that the lease is {@linkplain
   * #ending() ending}, and interrupted after its grace. The lease is renewed until the interrupt
   * and over afterwards. Once the work has ended, the caller gives the lease back or hands it over.
   */
  public void windDown() {
    leases.releaseAndHandOver().windDown(held);
  }

  /**
   * Gives the key back without waiting, or keeps it from others as long as was {@linkplain
   * LeaseRequest#atLeastFor requested}. If the store cannot be reached, the grant runs out by
   * itself.
   */
  @Override
  public void close() {
    giveUp();
    Leases.awaitRelease(leases.releaseAndHandOver().release(held, signals, kept()));
  }

  /**
   * Gives the key back at once, even if it was requested for a least time, because nothing was done
   * under the lease.
   */
  public void decline() {
    Leases.awaitRelease(declineAsync());
  }

  CompletableFuture<Release> declineAsync() {
    giveUp();
    return leases.releaseAndHandOver().release(held, signals, Duration.ZERO);
  }

  private Duration kept() {
    return Duration.ofNanos(Math.max(0, keptUntilNanos - leases.nowNanos()));
  }

  private void giveUp() {
    signals.giveUp(lossReason());
  }

  @Override
  public String toString() {
    return "lease on " + key() + " under token " + token();
  }
}
