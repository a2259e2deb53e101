package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LossReason;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Runs one term: holds its lease, and runs on threads what {@link TermWork} decides. Its methods
 * are called in turns; only the bodies of loops run on threads of their own.
 */
final class TermRunner implements TermWork.Host {
  private static final System.Logger LOG = System.getLogger(Election.class.getName());

  private final long campaign;
  private final Term term;
  private final Lease lease;
  private final Duration grace;
  private final Owner owner;
  private Optional<TermWork> work = Optional.empty();
  private Optional<Release> release = Optional.empty();

  /** Receives the term's events, on any thread. */
  interface Owner {
    void happens(Event event);

    /** A loop's body has returned, or thrown the failure. */
    void loopEnded(TermRunner runner, LoopEnd end);
  }

  /** How one run of a loop ended. */
  record LoopEnd(LeaderLoop loop, WorkRun run, Optional<Throwable> failure) {}

  /** The lease that a campaign has won, and the term that begins with it. */
  record Win(long campaign, Lease lease, Term term, Duration grace) {}

  TermRunner(Win win, Owner owner) {
    this.campaign = win.campaign();
    this.lease = win.lease();
    this.term = win.term();
    this.grace = win.grace();
    this.owner = owner;
  }

  long campaign() {
    return campaign;
  }

  Term term() {
    return term;
  }

  Lease lease() {
    return lease;
  }

  /** Reports to the owner when the lease is ending and when it is lost. */
  void follow() {
    var unusedEnding =
        lease.ending().thenRun(() -> owner.happens(new Event.Ending(campaign, cause())));
    var unusedLost =
        lease.lost().thenAccept(reason -> owner.happens(new Event.Lost(campaign, reason)));
  }

  /** The lease ends because no renewal succeeds, or because the process closes its leases. */
  private LossReason cause() {
    return lease.trust().compareTo(grace) <= 0
        ? new LossReason.Unreachable()
        : new LossReason.Released();
  }

  /** The heir learns of it from the store, or from the caller that asked for the hand-over. */
  CompletionStage<Release> handOver(Heir heir, Handoff handoff) {
    return lease.handOverAsync(heir.holder(), heir.instanceId(), handoff);
  }

  void begin(TermWork newWork) {
    work = Optional.of(newWork);
    newWork.begin();
  }

  void stop() {
    work.ifPresent(TermWork::stop);
  }

  /** A slot for a caller's work; empty before the term's work has begun and after it has ended. */
  Optional<WorkSlot> admit(String name) {
    return work.flatMap(
        now -> now.admit(name).map(run -> new WorkSlot(this, new Leading(term, lease, run), run)));
  }

  void ended(WorkRun run, TermWork.RunResult outcome) {
    work.ifPresent(now -> now.ended(run, outcome));
  }

  void released(Release newRelease) {
    release = Optional.of(newRelease);
  }

  /** How the lease was released; until it is, work still runs. */
  Release release() {
    return release.orElseGet(Release.StillRunning::new);
  }

  List<String> running() {
    return work.map(TermWork::running).orElse(List.of());
  }

  LoopStatus.Activity activityOf(LeaderLoop loop) {
    return work.map(now -> now.activityOf(loop)).orElse(LoopStatus.Activity.IDLE);
  }

  @Override
  public void run(LeaderLoop loop, WorkRun run) {
    Thread.ofVirtual()
        .name("leasehold-" + term.key() + "-" + loop.name())
        .start(() -> owner.loopEnded(this, new LoopEnd(loop, run, failureOf(loop, run))));
  }

  /** Runs the body bound to the lease, so that its loss interrupts the thread at once. */
  private Optional<Throwable> failureOf(LeaderLoop loop, WorkRun run) {
    Lease.Binding binding = lease.bind(Thread.currentThread());
    try {
      loop.body().run(new Leading(term, lease, run));
      return Optional.empty();
    } catch (Throwable e) {
      if (lease.isEnding()) {
        // A loop that was told to stop may end by throwing; that is no failure.
        LOG.log(Level.DEBUG, "loop " + loop.name() + " of " + term.key() + " ended", e);
        return Optional.empty();
      }
      return Optional.of(e);
    } finally {
      binding.close();
    }
  }

  @Override
  public void progressed() {
    try {
      lease.progressed();
    } catch (LeaseLostException e) {
      LOG.log(Level.DEBUG, "{0} moves, but its term is over: {1}", term.key(), e.reason());
    }
  }

  @Override
  public void workEnded() {
    owner.happens(new Event.WorkEnded(campaign));
  }
}
