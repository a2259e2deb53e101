package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseCharter.Handoff;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Release;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A term with its lease and its work: what the work's state machine asks for is done here, on
 * threads. Used in turns, but for what those threads do.
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

  /** Whoever wants to know; on any thread. */
  interface Owner {
    void happens(Event event);

    /** A loop has come to an end on its thread, by this failure if there was one. */
    void loopEnded(TermRunner runner, LoopEnd end);
  }

  /** The end of one run. */
  record LoopEnd(LeaderLoop loop, WorkRun run, Optional<Throwable> failure) {}

  /** What was won, and by which attempt. */
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

  /** Tells from now on what becomes of the lease. */
  void follow() {
    var unusedEnding =
        lease.ending().thenRun(() -> owner.happens(new Event.Ending(campaign, cause())));
    var unusedLost =
        lease.lost().thenAccept(reason -> owner.happens(new Event.Lost(campaign, reason)));
  }

  /** It ends since no renewal comes through, or since the process closes what it holds. */
  private LossReason cause() {
    return lease.trust().compareTo(grace) <= 0
        ? new LossReason.Unreachable()
        : new LossReason.Released();
  }

  /** The heir is told of by the store, or by whoever has asked for this. */
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

  /** A place for somebody's work; none before the term's work has begun, and after its end. */
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

  /** What became of the lease; while nobody knows, its work still runs. */
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

  /** Bound to the lease: its loss interrupts the loop at once, wherever it is. */
  private Optional<Throwable> failureOf(LeaderLoop loop, WorkRun run) {
    Lease.Binding binding = lease.bind(Thread.currentThread());
    try {
      loop.body().run(new Leading(term, lease, run));
      return Optional.empty();
    } catch (Throwable e) {
      if (lease.isEnding()) {
        // What a loop throws that was told to stop, and maybe interrupted, is how it ends.
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
