package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.Action.Respite;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * One replica's part in an election: the only place that decides about its role. It is fed one
 * event at a time and answers with what is to be done; it has no thread, lock or clock.
 *
 * <pre>
 *              start, rested                won
 *   STANDBY ------------------&gt; CANDIDATE ------&gt; LEADER
 *      ^  ^-------- not won --------'               | ending, lost, step down, close
 *      |                                            v
 *      '---- work ended and lease given back -- STEPPING_DOWN
 *
 *   close: from everywhere to CLOSED, from LEADER by way of STEPPING_DOWN
 * </pre>
 *
 * A term is told as elected, ending and lost, once each and in this order. Work runs only after
 * everybody was told of the election; and nobody is a candidate before its work has ended.
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
  private Reign reign = new Reign();
  private List<Action> actions = new ArrayList<>();

  /** What is true of one term. */
  private static final class Reign {
    boolean toldLost;
    boolean giving;
    boolean givenBack;
    boolean letOthers;
    LossReason cause = new LossReason.Released();
    Optional<Farewell> farewell = Optional.empty();
    Work work = Work.NONE;
  }

  /** What of the user's runs under a term. */
  private enum Work {
    NONE,
    /** The listeners are being told of the election. */
    TELLING,
    RUNNING
  }

  Role role() {
    return role;
  }

  /** The current attempt, or the term that came of it. */
  long campaign() {
    return campaign;
  }

  List<Action> on(Event event) {
    actions = new ArrayList<>();
    switch (event) {
      case Event.Start start -> stand();
      case Event.Won won -> won(won.campaign());
      case Event.NotWon notWon -> notWon(notWon.campaign());
      case Event.Bequeathed bequeathed -> bequeathed(bequeathed.token());
      case Event.ToldElected told -> toldElected(told.campaign());
      case Event.Ending ending -> ending(ending.campaign(), ending.reason());
      case Event.Lost lost -> lost(lost.campaign(), lost.reason());
      case Event.WorkEnded ended -> workEnded(ended.campaign());
      case Event.GivenBack given -> givenBack(given.campaign());
      case Event.StepDown stepDown -> stepDown(stepDown.farewell());
      case Event.Rested rested -> rested(rested.campaign());
      case Event.Dismissed dismissed -> dismissed(dismissed.campaign());
      case Event.Close close -> close();
      case Event.GoodbyeOver over -> goodbyeOver();
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

  /**
   * Handed over to a candidate, which asked in vain, or to one that rests and need not any more.
   */
  private void bequeathed(Token token) {
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
    reign = new Reign();
    reign.work = Work.TELLING;
    actions.add(new Action.TellElected(campaign));
  }

  private void notWon(long ofCampaign) {
    if (isNow(Role.CANDIDATE, ofCampaign)) {
      failures++;
      rest(new Respite.AfterFailures(failures));
    }
  }

  private void rest(Respite respite) {
    become(Role.STANDBY);
    actions.add(new Action.Rest(campaign, respite));
  }

  private void rested(long ofCampaign) {
    if (isNow(Role.STANDBY, ofCampaign)) {
      stand();
    }
  }

  private void toldElected(long ofCampaign) {
    if (ofCampaign != campaign || reign.work != Work.TELLING) {
      return;
    }
    if (role == Role.LEADER) {
      reign.work = Work.RUNNING;
      actions.add(new Action.StartWork(campaign));
    } else {
      atRest();
    }
  }

  private void ending(long ofCampaign, LossReason reason) {
    if (isNow(Role.LEADER, ofCampaign)) {
      reign.cause = reason;
      beginToStepDown();
      actions.add(new Action.WindDown(campaign));
    }
  }

  private void lost(long ofCampaign, LossReason reason) {
    if (isNow(Role.LEADER, ofCampaign)) {
      beginToStepDown();
    }
    if (isNow(Role.STEPPING_DOWN, ofCampaign)) {
      reign.letOthers |= reason instanceof LossReason.Stalled;
      // That it was given up is no news here, but why it was is.
      tellLost(reason instanceof LossReason.Released ? reign.cause : reason);
    }
  }

  private void beginToStepDown() {
    become(Role.STEPPING_DOWN);
    actions.add(new Action.TellEnding(campaign));
    if (reign.work == Work.RUNNING) {
      actions.add(new Action.StopWork(campaign));
    }
  }

  private void tellLost(LossReason reason) {
    if (!reign.toldLost) {
      reign.toldLost = true;
      actions.add(new Action.TellLost(campaign, reason));
    }
  }

  private void stepDown(Farewell farewell) {
    if (role != Role.LEADER) {
      actions.add(new Action.Refuse(farewell));
      return;
    }
    reign.farewell = Optional.of(farewell);
    reign.letOthers = true;
    beginToStepDown();
    if (farewell.overlaps()) {
      giveBack();
    } else {
      actions.add(new Action.WindDown(campaign));
    }
  }

  private void workEnded(long ofCampaign) {
    if (ofCampaign == campaign && reign.work == Work.RUNNING) {
      atRest();
    }
  }

  /** Only now may anybody follow, unless it was asked to overlap. */
  private void atRest() {
    reign.work = Work.NONE;
    if (!reign.giving) {
      giveBack();
    } else {
      finish();
    }
  }

  /** From here on nothing is trusted, whatever the store says to it and when. */
  private void giveBack() {
    reign.giving = true;
    tellLost(reign.cause);
    actions.add(new Action.GiveBack(campaign, reign.farewell));
  }

  private void givenBack(long ofCampaign) {
    if (ofCampaign == campaign && reign.giving && !reign.givenBack) {
      reign.givenBack = true;
      finish();
    }
  }

  private void finish() {
    if (role != Role.STEPPING_DOWN || !reign.givenBack || reign.work != Work.NONE) {
      return;
    }
    tellSteppedDown();
    if (closing) {
      closed();
    } else if (reign.letOthers) {
      rest(new Respite.LetOthers());
    } else {
      become(Role.STANDBY);
      stand();
    }
  }

  private void tellSteppedDown() {
    reign.farewell.ifPresent(asked -> actions.add(new Action.TellSteppedDown(campaign, asked)));
  }

  /** Nothing can be won any more, so there is nothing to wait for. */
  private void dismissed(long ofCampaign) {
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
        limitGoodbye();
      }
      case STEPPING_DOWN -> limitGoodbye();
      case CLOSED -> {}
    }
  }

  private void limitGoodbye() {
    if (!closing) {
      closing = true;
      actions.add(new Action.LimitGoodbye());
    }
  }

  /** What still runs keeps its lease from others until it ends, or the lease runs out. */
  private void goodbyeOver() {
    if (role == Role.STEPPING_DOWN) {
      tellLost(reign.cause);
      tellSteppedDown();
      closed();
    }
  }

  private void closed() {
    become(Role.CLOSED);
    actions.add(new Action.TellClosed());
  }
}
