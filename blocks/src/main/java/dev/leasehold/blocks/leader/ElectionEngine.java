package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.Action.PauseReason;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * One replica's part in an election: the only place that decides about its role. It takes one event
 * at a time and returns the actions to perform; it has no thread, lock or clock.
 *
 * <pre>
 *              start, pause over              won
 *   STANDBY ------------------&gt; CANDIDATE ------&gt; LEADER
 *      ^  ^-------- not won --------'               | ending, lost, step down, close
 *      |                                            v
 *      '---- work ended and lease given back -- STEPPING_DOWN
 *
 *   close: from everywhere to CLOSED, from LEADER by way of STEPPING_DOWN
 * </pre>
 *
 * Listeners are notified of each term as elected, ending and lost, once each and in this order.
 * Work starts only after they have returned from elected, and a replica is no candidate before all
 * work of its last term has ended.
 */
final class ElectionEngine {
  private static final Map<Role, Set<Role>> WAYS =
      Map.of(
          Role.STANDBY, Set.of(Role.CANDIDATE, Role.CLOSED),
          Role.CANDIDATE, Set.of(Role.LEADER, Role.STANDBY, Role.CLOSED),
          Role.LEADER, Set.of(Role.STEPPING_DOWN),
          Role.STEPPING_DOWN, Set.of(Role.STANDBY, Role.CLOSED),
          Role.CLOSED, Set.of());

  private Role role = Role.STANDBY;
  private long campaign;
  private int failures;
  private boolean closing;
  private TermState term = new TermState();
  private List<Action> actions = new ArrayList<>();

  /** The state of one term. */
  private static final class TermState {
    boolean notifiedLost;
    boolean releasing;
    boolean released;
    boolean letOthers;
    LossReason cause = new LossReason.Released();
    Optional<StepDownRequest> request = Optional.empty();
    WorkState work = WorkState.NONE;
  }

  /** What of the user's code runs under a term. */
  private enum WorkState {
    NONE,
    /** The listeners' elected() runs. */
    NOTIFYING,
    RUNNING
  }

  Role role() {
    return role;
  }

  /** The number of the current attempt, or of the term that it won. */
  long campaign() {
    return campaign;
  }

  List<Action> on(Event event) {
    actions = new ArrayList<>();
    switch (event) {
      case Event.Start start -> stand();
      case Event.Won won -> won(won.campaign());
      case Event.NotWon notWon -> notWon(notWon.campaign());
      case Event.HandedOver handedOver -> handedOver(handedOver.token());
      case Event.ElectedNotified notified -> electedNotified(notified.campaign());
      case Event.Ending ending -> ending(ending.campaign(), ending.reason());
      case Event.Lost lost -> lost(lost.campaign(), lost.reason());
      case Event.WorkEnded ended -> workEnded(ended.campaign());
      case Event.LeaseReleased released -> leaseReleased(released.campaign());
      case Event.StepDown stepDown -> stepDown(stepDown.request());
      case Event.PauseOver over -> pauseOver(over.campaign());
      case Event.AttemptCancelled cancelled -> attemptCancelled(cancelled.campaign());
      case Event.Close close -> close();
      case Event.ShutdownTimeout timeout -> shutdownTimeout();
    }
    return List.copyOf(actions);
  }

  /** The one place where the role changes. */
  private void become(Role next) {
    if (!WAYS.getOrDefault(role, Set.of()).contains(next)) {
      throw new IllegalStateException("there is no way from " + role + " to " + next);
    }
    role = next;
  }

  private boolean isNow(Role expected, long ofCampaign) {
    return role == expected && ofCampaign == campaign;
  }

  private void stand() {
    if (role == Role.STANDBY) {
      runBy(Action.Campaign::new);
    }
  }

  private void runBy(LongFunction<Action> attempt) {
    become(Role.CANDIDATE);
    campaign++;
    actions.add(attempt.apply(campaign));
  }

  /** The leader has handed over to this replica, which is a candidate or pauses. */
  private void handedOver(Token token) {
    if (role == Role.CANDIDATE) {
      actions.add(new Action.Withdraw(campaign));
      become(Role.STANDBY);
    }
    if (role == Role.STANDBY) {
      runBy(number -> new Action.Inherit(number, token));
    }
  }

  private void won(long ofCampaign) {
    if (!isNow(Role.CANDIDATE, ofCampaign)) {
      actions.add(new Action.Discard(ofCampaign));
      return;
    }
    become(Role.LEADER);
    failures = 0;
    term = new TermState();
    term.work = WorkState.NOTIFYING;
    actions.add(new Action.NotifyElected(campaign));
  }

  private void notWon(long ofCampaign) {
    if (isNow(Role.CANDIDATE, ofCampaign)) {
      failures++;
      pause(new PauseReason.AfterFailures(failures));
    }
  }

  private void pause(PauseReason reason) {
    become(Role.STANDBY);
    actions.add(new Action.Pause(campaign, reason));
  }

  private void pauseOver(long ofCampaign) {
    if (isNow(Role.STANDBY, ofCampaign)) {
      stand();
    }
  }

  private void electedNotified(long ofCampaign) {
    if (ofCampaign != campaign || term.work != WorkState.NOTIFYING) {
      return;
    }
    if (role == Role.LEADER) {
      term.work = WorkState.RUNNING;
      actions.add(new Action.StartWork(campaign));
    } else {
      workEnded();
    }
  }

  private void ending(long ofCampaign, LossReason reason) {
    if (isNow(Role.LEADER, ofCampaign)) {
      term.cause = reason;
      beginToStepDown();
      actions.add(new Action.WindDown(campaign));
    }
  }

  private void lost(long ofCampaign, LossReason reason) {
    if (isNow(Role.LEADER, ofCampaign)) {
      beginToStepDown();
    }
    if (isNow(Role.STEPPING_DOWN, ofCampaign)) {
      term.letOthers |= reason instanceof LossReason.Stalled;
      // This replica released the lease itself: report why it did.
      notifyLost(reason instanceof LossReason.Released ? term.cause : reason);
    }
  }

  private void beginToStepDown() {
    become(Role.STEPPING_DOWN);
    actions.add(new Action.NotifyEnding(campaign));
    if (term.work == WorkState.RUNNING) {
      actions.add(new Action.StopWork(campaign));
    }
  }

  private void notifyLost(LossReason reason) {
    if (!term.notifiedLost) {
      term.notifiedLost = true;
      actions.add(new Action.NotifyLost(campaign, reason));
    }
  }

  private void stepDown(StepDownRequest request) {
    if (role != Role.LEADER) {
      actions.add(new Action.RefuseStepDown(request));
      return;
    }
    term.request = Optional.of(request);
    term.letOthers = true;
    beginToStepDown();
    if (request.overlaps()) {
      releaseLease();
    } else {
      actions.add(new Action.WindDown(campaign));
    }
  }

  private void workEnded(long ofCampaign) {
    if (ofCampaign == campaign && term.work == WorkState.RUNNING) {
      workEnded();
    }
  }

  /** Releases the lease only now that all work has ended, unless an overlap was asked for. */
  private void workEnded() {
    term.work = WorkState.NONE;
    if (!term.releasing) {
      releaseLease();
    } else {
      finish();
    }
  }

  /** From here on the term is not trusted, regardless of the store's answer and its time. */
  private void releaseLease() {
    term.releasing = true;
    notifyLost(term.cause);
    actions.add(new Action.ReleaseLease(campaign, term.request));
  }

  private void leaseReleased(long ofCampaign) {
    if (ofCampaign == campaign && term.releasing && !term.released) {
      term.released = true;
      finish();
    }
  }

  private void finish() {
    if (role != Role.STEPPING_DOWN || !term.released || term.work != WorkState.NONE) {
      return;
    }
    notifySteppedDown();
    if (closing) {
      closed();
    } else if (term.letOthers) {
      pause(new PauseReason.LetOthers());
    } else {
      become(Role.STANDBY);
      stand();
    }
  }

  private void notifySteppedDown() {
    term.request.ifPresent(asked -> actions.add(new Action.NotifySteppedDown(campaign, asked)));
  }

  /** The process closes its leases, so no attempt can win. */
  private void attemptCancelled(long ofCampaign) {
    if (isNow(Role.CANDIDATE, ofCampaign)) {
      closed();
    }
  }

  private void close() {
    switch (role) {
      case STANDBY -> closed();
      case CANDIDATE -> {
        actions.add(new Action.Withdraw(campaign));
        closed();
      }
      case LEADER -> {
        beginToStepDown();
        actions.add(new Action.WindDown(campaign));
        limitShutdown();
      }
      case STEPPING_DOWN -> limitShutdown();
      case CLOSED -> {}
    }
  }

  private void limitShutdown() {
    if (!closing) {
      closing = true;
      actions.add(new Action.LimitShutdown());
    }
  }

  /** Work that still runs keeps the lease until it ends, or until the lease expires. */
  private void shutdownTimeout() {
    if (role == Role.STEPPING_DOWN) {
      notifyLost(term.cause);
      notifySteppedDown();
      closed();
    }
  }

  private void closed() {
    become(Role.CLOSED);
    actions.add(new Action.NotifyClosed());
  }
}
