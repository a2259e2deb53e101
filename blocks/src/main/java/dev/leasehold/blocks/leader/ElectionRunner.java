package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.Action.PauseReason;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Environment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Runs one replica's election: feeds events to {@link ElectionEngine} and performs the actions that
 * it returns. State changes in turns only, and no method blocks.
 */
final class ElectionRunner implements TermRunner.Owner {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final long FIRST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_DOUBLINGS = 5;

  private final Leases leases;
  private final Leases.Reservation reservation;
  private final Environment environment;
  private final ElectionSettings settings;
  private final ElectionEngine engine = new ElectionEngine();
  private final ElectionLog log;
  private final ListenerDispatch listeners;
  private final LeaseObserver observers;
  private final LeadershipWaiters waiters;
  private final Map<Long, CompletableFuture<Acquisition>> attempts = new HashMap<>();
  private final Map<Long, TermRunner> terms = new HashMap<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /** This replica inherits only tokens above this one: it has held or tried those up to it. */
  private Optional<Token> known = Optional.empty();

  private volatile Snapshot snapshot;

  /** The status for any thread, with the lease that says whether its term may be trusted. */
  private record Snapshot(ElectionStatus status, Optional<Lease> lease) {}

  /** A caller's request to step down, and the future that the caller waits on. */
  private record PendingStepDown(
      Optional<Heir> heir, Handoff handoff, CompletableFuture<StepDownResult> answered)
      implements StepDownRequest {
    @Override
    public boolean overlaps() {
      return heir.isPresent() && handoff == Handoff.OVERLAP;
    }
  }

  ElectionRunner(Leases leases, ElectionSettings settings, Leases.Reservation reservation) {
    this.leases = leases;
    this.reservation = reservation;
    this.environment = leases.environment();
    this.settings = settings;
    this.log = new ElectionLog(settings, leases.holder(), environment.now());
    this.listeners =
        new ListenerDispatch(
            settings.listeners(),
            leases.callbacks(),
            environment.turns(),
            failure -> change(() -> log.listenerFailed(failure)));
    this.observers = leases.observer();
    this.waiters = new LeadershipWaiters(environment, this::slot);
    this.snapshot = snapshot();
  }

  /** All events enter here, and are handled in a turn. */
  @Override
  public void happens(Event event) {
    inTurn(() -> handle(event));
  }

  private void inTurn(Runnable change) {
    environment.turns().execute(() -> change(change));
  }

  private void change(Runnable change) {
    change.run();
    snapshot = snapshot();
    freeNameWhenOver();
  }

  /** Work that still runs after closing keeps this process from starting the election again. */
  private void freeNameWhenOver() {
    if (engine.role() == Role.CLOSED
        && current().map(TermRunner::running).orElse(List.of()).isEmpty()) {
      reservation.close();
    }
  }

  private void handle(Event event) {
    Role before = engine.role();
    List<Action> actions = engine.on(event);
    if (engine.role() != before) {
      log.became(engine.role(), environment.now());
    }
    // Before listeners are notified, since they may read the status.
    snapshot = snapshot();
    actions.forEach(this::perform);
  }

  private void perform(Action action) {
    switch (action) {
      case Action.Campaign campaign -> campaign(campaign.campaign());
      case Action.Inherit inherit ->
          attempt(
              inherit.campaign(), () -> leases.inheritAsync(settings.request(), inherit.token()));
      case Action.Withdraw withdraw -> withdraw(withdraw.campaign());
      case Action.Discard discard -> discard(discard.campaign());
      case Action.NotifyElected told -> notifyElected(told.campaign());
      case Action.NotifyEnding told -> notifyEnding(runner(told.campaign()).term());
      case Action.NotifyLost told -> notifyLost(runner(told.campaign()).term(), told.reason());
      case Action.StartWork start -> startWork(runner(start.campaign()));
      case Action.StopWork stop -> runner(stop.campaign()).stop();
      case Action.WindDown windDown -> runner(windDown.campaign()).lease().windDown();
      case Action.ReleaseLease release -> releaseLease(release.campaign(), release.request());
      case Action.NotifySteppedDown told ->
          answer(told.request(), new StepDownResult.SteppedDown(runner(told.campaign()).release()));
      case Action.RefuseStepDown refused ->
          answer(refused.request(), new StepDownResult.NotLeading());
      case Action.Pause pause ->
          later(nanos(pause.reason()), new Event.PauseOver(pause.campaign()));
      case Action.LimitShutdown limit ->
          later(settings.shutdownTimeoutNanos(), new Event.ShutdownTimeout());
      case Action.NotifyClosed told -> notifyClosed();
    }
  }

  private void later(long nanos, Event event) {
    environment.after(nanos, () -> change(() -> handle(event)));
  }

  private void campaign(long campaign) {
    // A new campaign begins only after all work of the last term has ended.
    terms.clear();
    attempt(campaign, () -> leases.acquireAsync(settings.request(), FOR_EVER, this::heard));
  }

  private void attempt(long campaign, Supplier<CompletableFuture<Acquisition>> beginning) {
    CompletableFuture<Acquisition> attempt;
    try {
      attempt = beginning.get();
    } catch (RuntimeException e) {
      attempt = CompletableFuture.failedFuture(e);
    }
    attempts.put(campaign, attempt);
    var unused =
        attempt.whenComplete(
            (acquisition, failure) ->
                inTurn(
                    () -> {
                      if (failure == null) {
                        answered(campaign, acquisition);
                      } else {
                        notWon(campaign, failure.toString());
                      }
                    }));
  }

  private void answered(long campaign, Acquisition acquisition) {
    switch (acquisition) {
      case Acquisition.Acquired acquired -> won(campaign, acquired.lease());
      case Acquisition.Cancelled cancelled -> handle(new Event.AttemptCancelled(campaign));
      case Acquisition.NotAcquired why -> notWon(campaign, why.toString());
    }
  }

  /** The result of a withdrawn attempt is ignored. */
  private void notWon(long campaign, String why) {
    if (attempts.containsKey(campaign)) {
      attempts.remove(campaign);
      log.notWon(why);
      handle(new Event.NotWon(campaign));
    }
  }

  private void won(long campaign, Lease lease) {
    attempts.remove(campaign);
    known = Optional.of(lease.token());
    Term term =
        new Term(
            lease.key(), lease.token(), leases.holder(), leases.instanceId(), environment.now());
    TermRunner runner =
        new TermRunner(new TermRunner.Win(campaign, lease, term, settings.grace()), this);
    terms.put(campaign, runner);
    handle(new Event.Won(campaign));
    runner.follow();
  }

  private void withdraw(long campaign) {
    Optional.ofNullable(attempts.remove(campaign)).ifPresent(attempt -> attempt.cancel(true));
  }

  private void discard(long campaign) {
    var unused = runner(campaign).lease().releaseAsync();
    terms.remove(campaign);
  }

  private void heard(Acquisition.NotAcquired meanwhile) {
    inTurn(
        () -> {
          if (meanwhile instanceof Acquisition.Held held) {
            seen(held);
          } else {
            log.waitsBlocked(meanwhile.toString());
          }
        });
  }

  /** If the store names this process as the holder, the leader has handed over to it. */
  private void seen(Acquisition.Held held) {
    held.lockedBy().ifPresentOrElse(log::waitsBlocked, log::waitsForLeader);
    observe(new Leader(held.holder(), held.instanceId(), held.token()));
    if (held.instanceId().equals(leases.instanceId())) {
      handedOver(held.token());
    }
  }

  void inherit(Token token) {
    inTurn(() -> handedOver(token));
  }

  /** Inherits a token once. This replica never resumes a term that it has lost. */
  private void handedOver(Token token) {
    if (known.filter(before -> !token.isAbove(before)).isEmpty()) {
      known = Optional.of(token);
      handle(new Event.HandedOver(token));
    }
  }

  private void observe(Leader leader) {
    if (log.isNew(leader)) {
      log.observed(leader);
      listeners.tell(listener -> listener.observed(leader));
    }
  }

  private void notifyElected(long campaign) {
    Term term = runner(campaign).term();
    log.elected(term);
    observers.observed(new ElectionEvent.Elected(term));
    listeners.tell(
        listener -> listener.elected(term),
        () -> change(() -> handle(new Event.ElectedNotified(campaign))));
    observe(new Leader(term.holder(), leases.instanceId(), term.token()));
  }

  private void notifyEnding(Term term) {
    listeners.tell(listener -> listener.ending(term));
  }

  private void notifyLost(Term term, LossReason reason) {
    log.lost(term, reason);
    observers.observed(new ElectionEvent.TermOver(term, reason));
    listeners.tell(listener -> listener.lost(term, reason));
  }

  private void startWork(TermRunner runner) {
    runner.begin(new TermWork(environment, settings.loops(), settings.pace(), runner));
    waiters.open();
  }

  @Override
  public void loopEnded(TermRunner runner, TermRunner.LoopEnd end) {
    inTurn(
        () -> {
          end.failure().ifPresent(failure -> loopFailed(runner.term(), end.loop(), failure));
          runner.ended(
              end.run(),
              end.failure().isPresent() ? TermWork.RunResult.FAILED : TermWork.RunResult.DONE);
        });
  }

  private void loopFailed(Term term, LeaderLoop loop, Throwable failure) {
    log.loopFailed(loop, failure);
    observers.observed(new ElectionEvent.LoopFailed(term, loop.name(), failure));
    listeners.tell(listener -> listener.failed(loop, failure));
  }

  private void releaseLease(long campaign, Optional<StepDownRequest> request) {
    TermRunner runner = runner(campaign);
    CompletionStage<Release> release =
        request
            .map(PendingStepDown.class::cast)
            .filter(pending -> pending.heir().isPresent())
            .map(pending -> runner.handOver(pending.heir().orElseThrow(), pending.handoff()))
            .orElseGet(() -> runner.lease().releaseAsync());
    var unused =
        release.whenComplete(
            (told, failure) ->
                inTurn(
                    () ->
                        leaseReleased(
                            runner,
                            failure == null ? told : new Release.Unknown(failure.toString()))));
  }

  private void leaseReleased(TermRunner runner, Release release) {
    runner.released(release);
    log.leaseReleased(runner.term(), release);
    handle(new Event.LeaseReleased(runner.campaign()));
  }

  private static void answer(StepDownRequest request, StepDownResult resignation) {
    ((PendingStepDown) request).answered().complete(resignation);
  }

  private void notifyClosed() {
    log.closed(current().map(TermRunner::running).orElse(List.of()));
    waiters.close();
    // Completes when all listeners were notified, or after the timeout if one of them hangs.
    listeners.tell(listener -> {}, () -> closed.complete(null));
    environment.after(settings.shutdownTimeoutNanos(), () -> closed.complete(null));
  }

  private long nanos(PauseReason reason) {
    return switch (reason) {
      case PauseReason.LetOthers let -> settings.pauseNanos();
      case PauseReason.AfterFailures after -> {
        long longest = FIRST_BACKOFF_NANOS << Math.min(MOST_DOUBLINGS, after.failures() - 1);
        yield longest / 2 + environment.upTo(longest / 2);
      }
    };
  }

  private TermRunner runner(long campaign) {
    return Optional.ofNullable(terms.get(campaign)).orElseThrow();
  }

  private Optional<TermRunner> current() {
    return Optional.ofNullable(terms.get(engine.campaign()));
  }

  private Optional<WorkSlot> slot() {
    return current().flatMap(runner -> runner.admit(settings.name()));
  }

  /** The caller waits for a slot under a term, up to this time. */
  CompletableFuture<Optional<WorkSlot>> enter(Duration wait) {
    CompletableFuture<Optional<WorkSlot>> told = new CompletableFuture<>();
    inTurn(() -> waiters.enter(told, wait));
    return told;
  }

  /** Removes waiters that were interrupted. */
  void removeCancelled() {
    inTurn(waiters::removeCancelled);
  }

  void leave(WorkSlot slot) {
    inTurn(() -> slot.runner().ended(slot.run(), TermWork.RunResult.DONE));
  }

  CompletableFuture<StepDownResult> stepDown(Optional<Heir> heir) {
    CompletableFuture<StepDownResult> answered = new CompletableFuture<>();
    happens(new Event.StepDown(new PendingStepDown(heir, settings.handoff(), answered)));
    return answered;
  }

  CompletableFuture<Void> close() {
    happens(new Event.Close());
    return closed;
  }

  /** One timeout for the work and the store, and one for the listeners. */
  Duration longestClose() {
    return Duration.ofNanos(2 * settings.shutdownTimeoutNanos());
  }

  Heir self() {
    return new Heir(leases.holder(), leases.instanceId());
  }

  /** Runs the user's warm-up, which may block; logs a failure. */
  CompletableFuture<Heir> warmUp() {
    CompletableFuture<Heir> ready = new CompletableFuture<>();
    leases
        .callbacks()
        .execute(
            () -> {
              try {
                settings.warmUp().run();
                ready.complete(self());
              } catch (Throwable e) {
                inTurn(() -> log.listenerFailed(e));
                ready.completeExceptionally(e);
              }
            });
    return ready;
  }

  private Snapshot snapshot() {
    return new Snapshot(log.status(engine.role(), current()), current().map(TermRunner::lease));
  }

  /** Computes at each call whether the term may still be trusted. */
  ElectionStatus status() {
    Snapshot now = snapshot;
    boolean trusted = now.lease().filter(lease -> !lease.trust().isZero()).isPresent();
    return trusted ? now.status() : now.status().withoutTerm();
  }
}
