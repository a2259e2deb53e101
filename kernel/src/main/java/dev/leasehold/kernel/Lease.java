package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.spi.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * A lease that this process holds. It belongs to no thread, is renewed by itself, and can be lost:
 * ask it before each step, bind the work to it, and bring its {@link #claim()} to what you change.
 * Closing it says that the work has ended, and gives the key back.
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
    // From when it was heard of, which is later than it was granted.
    this.keptUntilNanos = leases.nowNanos() + atLeast.toNanos();
    this.held = held;
    this.signals = signals;
  }

  public LeaseKey key() {
    return held.key();
  }

  /** What targets compare. It never changes while the lease lasts. */
  public Token token() {
    return held.token();
  }

  /** What to bring to a target: key, token and the id of this instance. */
  @Override
  public Claim claim() {
    return new Claim(key(), token(), holder).ofInstance(leases.instanceId().text());
  }

  /**
   * Writes down, for the audit, that a target has refused this lease. Most often somebody has
   * followed; if the store has issued no number as high as the target goes by, or its grant is
   * still current, the store may have lost writes, and that is reported as a suspected rollback. It
   * returns at once.
   */
  public void refused(String target, Admission.Refused answer) {
    leases.refused(claim(), target, answer);
  }

  /**
   * How long it may still be trusted, computed now; zero when it may not. What is begun on the
   * strength of it can still be overtaken by a pause: that is what the target's check is for.
   */
  @Override
  public Duration trust() {
    return Duration.ofNanos(held.trustNanos(leases.nowNanos()));
  }

  /**
   * Refuses to go on with a lease that is over, or whose trust has run out.
   *
   * @throws LeaseLostException with the reason
   */
  @Override
  public void ensureHeld() {
    ensureHeldFor(Duration.ofNanos(1));
  }

  /**
   * The same, for a step that takes this long.
   *
   * @throws TooLittleTrustException if it is held, but may not be trusted for so long
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

  /** The work has moved; with a stall limit, a lease without progress is lost. */
  public void progressed() {
    ensureHeld();
    held.progressed();
  }

  /**
   * Completes when the work should stop: the trust runs out after the stop grace, or it is lost.
   */
  public CompletionStage<Void> ending() {
    return signals.whenEnding();
  }

  /** Whether the work should stop. */
  public boolean isEnding() {
    return signals.isEnding() || trust().isZero();
  }

  /** Completes with the reason when the lease is lost; never, when it is given back. */
  public CompletionStage<LossReason> lost() {
    return signals.whenLost();
  }

  /** Why it is over; empty while it is not. */
  public Optional<LossReason> lossReason() {
    Optional<LossReason> told = held.over();
    return told.isEmpty() && trust().isZero() ? Optional.of(notTrusted()) : told;
  }

  /** What was said of it meanwhile, else that nothing was: computed, not waited for. */
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

  /** Runs work on this thread while it is held, and closes it then; loss interrupts the work. */
  public <T> WorkResult<T> whileHeld(WorkResult.Work<T> work) throws Exception {
    return Leases.run(this, work);
  }

  /** Work that is cancelled when the lease is lost. */
  public interface Binding extends AutoCloseable {
    /** The work has ended: once this returns, it is not cancelled any more. */
    @Override
    void close();
  }

  /** Passes the lease on, with the gap or overlap that the charter of its kind prefers. */
  public Release handOver(String to, InstanceId toInstanceId) throws InterruptedException {
    return handOver(to, toInstanceId, leases.handoffOf(key()));
  }

  /**
   * Passes the lease on, with no free moment between, and says what came of it.
   *
   * <p>With a {@link LeaseCharter.Handoff#GAP} the work ends first: what is bound is told that it
   * is {@linkplain #ending() ending}, interrupted after its grace, and waited for as long again.
   * Only when all bindings are closed is the lease passed on; if one is not, the answer is {@link
   * Release.StillRunning}. Work that is not bound is not known here: end it before.
   *
   * <p>With an {@link LeaseCharter.Handoff#OVERLAP} it is passed on at once. This handle is over
   * when the call begins; bound work is told, and may wind down for its grace before it is
   * interrupted.
   *
   * <p>A caller that is interrupted while it waits does not hear the answer; the hand-over goes on.
   */
  public Release handOver(String to, InstanceId toInstanceId, LeaseCharter.Handoff handoff)
      throws InterruptedException {
    if (handoff == LeaseCharter.Handoff.GAP) {
      requireUnbound(Thread.currentThread());
    }
    return Leases.await(handOverAsync(to, toInstanceId, handoff).toCompletableFuture());
  }

  /** The same for whoever does not want to block. Work that is bound must not wait for it. */
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

  /** It would wait for itself. */
  private void requireUnbound(Thread caller) {
    if (signals.isBound(caller)) {
      throw new IllegalStateException(
          "this thread is bound to the "
              + this
              + ", and a hand-over with a gap waits until its work has ended: close the binding"
              + " first, call from another thread, or hand over with an overlap");
    }
  }

  /** Gives the key back, and says what came of it. The work has ended when this is called. */
  public Release release() throws InterruptedException {
    giveUp();
    return Leases.await(leases.releaseAndHandOver().release(held, signals, kept()));
  }

  /** The same for whoever does not want to block. */
  public CompletionStage<Release> releaseAsync() {
    giveUp();
    return leases.releaseAndHandOver().release(held, signals, kept());
  }

  /**
   * Begins to end the work behind it, as closing everything does: what is bound is told that it is
   * {@linkplain #ending() ending}, and interrupted after its grace. Until then the lease goes on
   * being kept; from then on it is over. Give it back, or hand it over, once the work has ended.
   */
  public void windDown() {
    leases.releaseAndHandOver().windDown(held);
  }

  /**
   * Gives the key back, or keeps it from others as long as was {@linkplain LeaseRequest#atLeastFor
   * asked for}, without waiting. If the store cannot be told, the grant runs out by itself.
   */
  @Override
  public void close() {
    giveUp();
    Leases.awaitGoodbye(leases.releaseAndHandOver().release(held, signals, kept()));
  }

  /**
   * Gives the key back at once, although it was asked for at least so long: nothing was done under
   * it that it should be kept from others for.
   */
  public void decline() {
    Leases.awaitGoodbye(declineAsync());
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

  /** Why it was over before the holder gave it up by itself; empty if it was not. */
  Optional<LossReason> lossBeforeGivenUp() {
    return signals.isGivenUp() ? signals.reason() : lossReason();
  }

  /** The loss that the work behind it was told of. */
  Optional<LossReason> toldLoss() {
    return signals.reason();
  }

  @Override
  public String toString() {
    return "lease on " + key() + " under token " + token();
  }
}
