package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.Action.Respite;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseCharter.Handoff;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.engine.Environment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One replica's election with the world around it: brings events to the engine, and carries out
 * what it answers. All state is changed in turns; nothing here blocks.
 */
final class Replica implements Reign.Court {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final long FIRST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_DOUBLINGS = 5;

  private final Leases leases;
  private final Leases.Reservation reservation;
  private final Environment environment;
  private final ElectionSettings settings;
  private final ElectionEngine engine = new ElectionEngine();
  private final Chronicle chronicle;
  private final Teller teller;
  private final WaitingRoom waitingRoom;
  private final Map<Long, CompletableFuture<Acquisition>> attempts = new HashMap<>();
  private final Map<Long, Reign> reigns = new HashMap<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /** No token up to this one is to be inherited: it was this replica's, or was tried before. */
  private Optional<Token> known = Optional.empty();

  private volatile Snapshot snapshot;

  /** What may be read on any thread, and the lease that says whether the term is still one. */
  private record Snapshot(ElectionStatus status, Optional<Lease> lease) {}

  /** How somebody wants a term to end, and who is told what came of it. */
  private record Parting(
      Optional<Heir> heir, Handoff handoff, CompletableFuture<Resignation> answered)
      implements Farewell {
    @Override
    public boolean overlaps() {
      return heir.isPresent() && handoff == Handoff.OVERLAP;
    }
  }

  Replica(Leases leases, ElectionSettings settings, Leases.Reservation reservation) {
    this.leases = leases;
    this.reservation = reservation;
    this.environment = leases.environment();
    this.settings = settings;
    this.chronicle = new Chronicle(settings, leases.holder(), environment.now());
    this.teller =
        new Teller(
            settings.listeners(),
            leases.callbacks(),
            environment.turns(),
            failure -> change(() -> chronicle.listenerFailed(failure)));
    this.waitingRoom = new WaitingRoom(environment, this::post);
    this.snapshot = snapshot();
  }

  /** Every event comes this way, and so in a turn. */
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

  /** What still runs after closing is still in the way of whoever would stand here again. */
  private void freeNameWhenOver() {
    if (engine.role() == Role.CLOSED && current().map(Reign::running).orElse(List.of()).isEmpty()) {
      reservation.close();
    }
  }

  private void handle(Event event) {
    Role before = engine.role();
    List<Action> actions = engine.on(event);
    if (engine.role() != before) {
      chronicle.became(engine.role(), environment.now());
    }
    // Before anybody is told of it: whoever is may ask.
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
      case Action.TellElected told -> tellElected(told.campaign());
      case Action.TellEnding told -> tellEnding(reign(told.campaign()).term());
      case Action.TellLost told -> tellLost(reign(told.campaign()).term(), told.reason());
      case Action.StartWork start -> startWork(reign(start.campaign()));
      case Action.StopWork stop -> reign(stop.campaign()).stop();
      case Action.WindDown windDown -> reign(windDown.campaign()).lease().windDown();
      case Action.GiveBack giveBack -> giveBack(giveBack.campaign(), giveBack.farewell());
      case Action.TellSteppedDown told ->
          answer(told.farewell(), new Resignation.SteppedDown(reign(told.campaign()).release()));
      case Action.Refuse refuse -> answer(refuse.farewell(), new Resignation.NotLeading());
      case Action.Rest rest -> later(nanos(rest.respite()), new Event.Rested(rest.campaign()));
      case Action.LimitGoodbye limit ->
          later(settings.longestGoodbyeNanos(), new Event.GoodbyeOver());
      case Action.TellClosed told -> tellClosed();
    }
  }

  private void later(long nanos, Event event) {
    environment.after(nanos, () -> change(() -> handle(event)));
  }

  private void campaign(long campaign) {
    // Of what came before nothing is left: that is why there is a new one.
    reigns.clear();
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
      case Acquisition.Cancelled cancelled -> handle(new Event.Dismissed(campaign));
      case Acquisition.NotAcquired why -> notWon(campaign, why.toString());
    }
  }

  /** Of an attempt that was withdrawn nobody wants to hear. */
  private void notWon(long campaign, String why) {
    if (attempts.containsKey(campaign)) {
      attempts.remove(campaign);
      chronicle.notWon(why);
      handle(new Event.NotWon(campaign));
    }
  }

  private void won(long campaign, Lease lease) {
    attempts.remove(campaign);
    known = Optional.of(lease.token());
    Term term =
        new Term(
            lease.key(), lease.token(), leases.holder(), leases.instanceId(), environment.now());
    Reign reign = new Reign(new Reign.Win(campaign, lease, term, settings.grace()), this);
    reigns.put(campaign, reign);
    handle(new Event.Won(campaign));
    reign.follow();
  }

  private void withdraw(long campaign) {
    Optional.ofNullable(attempts.remove(campaign)).ifPresent(attempt -> attempt.cancel(true));
  }

  private void discard(long campaign) {
    var unused = reign(campaign).lease().releaseAsync();
    reigns.remove(campaign);
  }

  private void heard(Acquisition.NotAcquired meanwhile) {
    inTurn(
        () -> {
          if (meanwhile instanceof Acquisition.Held held) {
            seen(held);
          } else {
            chronicle.waitsInVain(meanwhile.toString());
          }
        });
  }

  /** Whoever is said to hold what it has never held was made the heir. */
  private void seen(Acquisition.Held held) {
    held.lockedBy().ifPresentOrElse(chronicle::waitsInVain, chronicle::waitsInOrder);
    observe(new Leader(held.holder(), held.instanceId(), held.token()));
    if (held.instanceId().equals(leases.instanceId())) {
      bequeathed(held.token());
    }
  }

  void inherit(Token token) {
    inTurn(() -> bequeathed(token));
  }

  /** Tried once. A term that this replica has lost is never taken up again. */
  private void bequeathed(Token token) {
    if (known.filter(before -> !token.isAbove(before)).isEmpty()) {
      known = Optional.of(token);
      handle(new Event.Bequeathed(token));
    }
  }

  private void observe(Leader leader) {
    if (chronicle.isNew(leader)) {
      chronicle.observed(leader);
      teller.tell(listener -> listener.observed(leader));
    }
  }

  private void tellElected(long campaign) {
    Term term = reign(campaign).term();
    chronicle.elected(term);
    teller.tell(
        listener -> listener.elected(term),
        () -> change(() -> handle(new Event.ToldElected(campaign))));
    observe(new Leader(term.holder(), leases.instanceId(), term.token()));
  }

  private void tellEnding(Term term) {
    teller.tell(listener -> listener.ending(term));
  }

  private void tellLost(Term term, LossReason reason) {
    chronicle.lost(term, reason);
    teller.tell(listener -> listener.lost(term, reason));
  }

  private void startWork(Reign reign) {
    reign.begin(new TermWork(environment, settings.loops(), settings.pace(), reign));
    waitingRoom.open();
  }

  @Override
  public void loopEnded(Reign reign, Reign.LoopEnd end) {
    inTurn(
        () -> {
          end.failure().ifPresent(failure -> loopFailed(end.loop(), failure));
          reign.ended(
              end.shift(),
              end.failure().isPresent() ? TermWork.Outcome.FAILED : TermWork.Outcome.DONE);
        });
  }

  private void loopFailed(GatedLoop loop, Throwable failure) {
    chronicle.loopFailed(loop, failure);
    teller.tell(listener -> listener.failed(loop, failure));
  }

  private void giveBack(long campaign, Optional<Farewell> farewell) {
    Reign reign = reign(campaign);
    CompletionStage<Release> release =
        farewell
            .map(Parting.class::cast)
            .filter(parting -> parting.heir().isPresent())
            .map(parting -> reign.handOver(parting.heir().orElseThrow(), parting.handoff()))
            .orElseGet(() -> reign.lease().releaseAsync());
    var unused =
        release.whenComplete(
            (told, failure) ->
                inTurn(
                    () ->
                        givenBack(
                            reign,
                            failure == null ? told : new Release.Unknown(failure.toString()))));
  }

  private void givenBack(Reign reign, Release release) {
    reign.released(release);
    chronicle.givenBack(reign.term(), release);
    handle(new Event.GivenBack(reign.campaign()));
  }

  private static void answer(Farewell farewell, Resignation resignation) {
    ((Parting) farewell).answered().complete(resignation);
  }

  private void tellClosed() {
    chronicle.closed(current().map(Reign::running).orElse(List.of()));
    waitingRoom.close();
    // Everybody has been told by then; but a listener that hangs is not waited for for ever.
    teller.tell(listener -> {}, () -> closed.complete(null));
    environment.after(settings.longestGoodbyeNanos(), () -> closed.complete(null));
  }

  private long nanos(Respite respite) {
    return switch (respite) {
      case Respite.LetOthers let -> settings.respiteNanos();
      case Respite.AfterFailures after -> {
        long longest = FIRST_BACKOFF_NANOS << Math.min(MOST_DOUBLINGS, after.failures() - 1);
        yield longest / 2 + environment.upTo(longest / 2);
      }
    };
  }

  private Reign reign(long campaign) {
    return Optional.ofNullable(reigns.get(campaign)).orElseThrow();
  }

  private Optional<Reign> current() {
    return Optional.ofNullable(reigns.get(engine.campaign()));
  }

  private Optional<Post> post() {
    return current().flatMap(reign -> reign.admit(settings.name()));
  }

  /** Somebody wants to work under a term, and waits for one up to this time. */
  CompletableFuture<Optional<Post>> enter(Duration wait) {
    CompletableFuture<Optional<Post>> told = new CompletableFuture<>();
    inTurn(() -> waitingRoom.enter(told, wait));
    return told;
  }

  /** Somebody who has asked for a post does not wait for it any more. */
  void forgetWhoHasGone() {
    inTurn(waitingRoom::forgetWhoHasGone);
  }

  void leave(Post post) {
    inTurn(() -> post.reign().ended(post.shift(), TermWork.Outcome.DONE));
  }

  CompletableFuture<Resignation> stepDown(Optional<Heir> heir) {
    CompletableFuture<Resignation> answered = new CompletableFuture<>();
    happens(new Event.StepDown(new Parting(heir, settings.handoff(), answered)));
    return answered;
  }

  CompletableFuture<Void> close() {
    happens(new Event.Close());
    return closed;
  }

  /** For the work and the store, and then for the listeners. */
  Duration longestClose() {
    return Duration.ofNanos(2 * settings.longestGoodbyeNanos());
  }

  Heir self() {
    return new Heir(leases.holder(), leases.instanceId());
  }

  /** Runs what may take its time, and says when it has; a failure is written down. */
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
                inTurn(() -> chronicle.listenerFailed(e));
                ready.completeExceptionally(e);
              }
            });
    return ready;
  }

  private Snapshot snapshot() {
    return new Snapshot(chronicle.status(engine.role(), current()), current().map(Reign::lease));
  }

  /** Whether the term may be trusted is computed on every question. */
  ElectionStatus status() {
    Snapshot now = snapshot;
    boolean trusted = now.lease().filter(lease -> !lease.trust().isZero()).isPresent();
    return trusted ? now.status() : now.status().withoutTerm();
  }
}
