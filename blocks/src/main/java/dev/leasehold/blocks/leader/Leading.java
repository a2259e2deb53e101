package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.Holding;
import dev.leasehold.kernel.Lease;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The term that work runs under. Call {@link #ensureLeading()} before each step, bring its {@link
 * #claim()} to what you change, and report {@link #progressed() progress}.
 */
public final class Leading implements Holding {
  private final Term term;
  private final Lease lease;
  private final WorkRun run;

  Leading(Term term, Lease lease, WorkRun run) {
    this.term = term;
    this.lease = lease;
    this.run = run;
  }

  public Term term() {
    return term;
  }

  /** What to bring to a target. */
  @Override
  public Claim claim() {
    return term.claim();
  }

  /** How long the term may still be trusted, computed now; zero when it may not. */
  @Override
  public Duration trust() {
    return lease.trust();
  }

  /**
   * Throws if the term is over. The process can still be paused right after this call: that is what
   * the target's check is for.
   *
   * @throws dev.leasehold.kernel.LeaseLostException with the reason
   */
  public void ensureLeading() {
    lease.ensureHeld();
  }

  /** The same, for targets, which know holdings and not terms. */
  @Override
  public void ensureHeld() {
    ensureLeading();
  }

  /**
   * Throws unless the term can be trusted for a step of this length.
   *
   * @throws dev.leasehold.kernel.TooLittleTrustException if there may not be so much time
   */
  public void ensureLeadingFor(Duration atLeast) {
    lease.ensureHeldFor(atLeast);
  }

  /** Whether the work should stop. Work that has not ended after the grace is interrupted. */
  public boolean isEnding() {
    return lease.isEnding();
  }

  /** Completes when the work should stop. */
  public CompletionStage<Void> ending() {
    return lease.ending();
  }

  /**
   * Reports progress. A run that does not report any for longer than its allowance costs this
   * replica the lease.
   *
   * @throws dev.leasehold.kernel.LeaseLostException if the term is over
   */
  public void progressed() {
    ensureLeading();
    run.progressed();
  }

  /** Reports to the audit that a target has refused this term's claim. */
  public void refused(String target, Admission.Refused answer) {
    lease.refused(target, answer);
  }
}
