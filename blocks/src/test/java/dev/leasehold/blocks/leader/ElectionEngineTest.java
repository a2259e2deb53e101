package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.Action.PauseReason;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every way through the roles, step by step. */
class ElectionEngineTest {
  private static final LossReason EXPIRED = new LossReason.Expired();
  private static final LossReason UNREACHABLE = new LossReason.Unreachable();
  private static final LossReason RELEASED = new LossReason.Released();
  private static final StepDownRequest WITH_GAP = () -> false;
  private static final StepDownRequest WITH_OVERLAP = () -> true;

  private final ElectionEngine engine = new ElectionEngine();

  private List<Action> on(Event event) {
    return engine.on(event);
  }

  private void lead() {
    on(new Event.Start());
    on(new Event.Won(1));
    on(new Event.ElectedNotified(1));
    assertThat(engine.role()).isEqualTo(Role.LEADER);
  }

  @Test
  void workBeginsWhenEveryListenerKnowsOfTheElection() {
    assertThat(engine.role()).isEqualTo(Role.STANDBY);
    assertThat(on(new Event.Start())).containsExactly(new Action.Campaign(1));
    assertThat(engine.role()).isEqualTo(Role.CANDIDATE);
    assertThat(on(new Event.Won(1))).containsExactly(new Action.NotifyElected(1));
    assertThat(engine.role()).isEqualTo(Role.LEADER);
    assertThat(on(new Event.ElectedNotified(1))).containsExactly(new Action.StartWork(1));
  }

  @Test
  void aLostTermIsToldAtOnceAndFollowedByACandidacyWhenItsWorkHasEnded() {
    lead();
    assertThat(on(new Event.Lost(1, EXPIRED)))
        .containsExactly(
            new Action.NotifyEnding(1), new Action.StopWork(1), new Action.NotifyLost(1, EXPIRED));
    assertThat(engine.role()).isEqualTo(Role.STEPPING_DOWN);
    assertThat(on(new Event.PauseOver(1))).isEmpty();
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(new Action.ReleaseLease(1, Optional.empty()));
    assertThat(on(new Event.LeaseReleased(1))).containsExactly(new Action.Campaign(2));
    assertThat(engine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void aTermThatEndsIsGivenBackIfItsWorkEndsInTime() {
    lead();
    assertThat(on(new Event.Ending(1, UNREACHABLE)))
        .containsExactly(
            new Action.NotifyEnding(1), new Action.StopWork(1), new Action.WindDown(1));
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(
            new Action.NotifyLost(1, UNREACHABLE), new Action.ReleaseLease(1, Optional.empty()));
    assertThat(on(new Event.LeaseReleased(1))).containsExactly(new Action.Campaign(2));
  }

  @Test
  void whoStepsDownGivesBackAfterItsWorkAndThenLetsOthers() {
    lead();
    assertThat(on(new Event.StepDown(WITH_GAP)))
        .containsExactly(
            new Action.NotifyEnding(1), new Action.StopWork(1), new Action.WindDown(1));
    assertThat(on(new Event.Ending(1, UNREACHABLE))).isEmpty();
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(
            new Action.NotifyLost(1, RELEASED), new Action.ReleaseLease(1, Optional.of(WITH_GAP)));
    assertThat(on(new Event.LeaseReleased(1)))
        .containsExactly(
            new Action.NotifySteppedDown(1, WITH_GAP),
            new Action.Pause(1, new PauseReason.LetOthers()));
    assertThat(engine.role()).isEqualTo(Role.STANDBY);
    assertThat(on(new Event.PauseOver(1))).containsExactly(new Action.Campaign(2));
  }

  @Test
  void withAnOverlapTheLeaseGoesBeforeTheWorkHasEnded() {
    lead();
    assertThat(on(new Event.StepDown(WITH_OVERLAP)))
        .containsExactly(
            new Action.NotifyEnding(1),
            new Action.StopWork(1),
            new Action.NotifyLost(1, RELEASED),
            new Action.ReleaseLease(1, Optional.of(WITH_OVERLAP)));
    assertThat(on(new Event.LeaseReleased(1))).isEmpty();
    assertThat(engine.role()).as("its work still runs").isEqualTo(Role.STEPPING_DOWN);
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(
            new Action.NotifySteppedDown(1, WITH_OVERLAP),
            new Action.Pause(1, new PauseReason.LetOthers()));
  }

  @Test
  void aCandidateRefusesToStepDown() {
    on(new Event.Start());
    assertThat(on(new Event.StepDown(WITH_GAP)))
        .containsExactly(new Action.RefuseStepDown(WITH_GAP));
    assertThat(engine.role()).isEqualTo(Role.CANDIDATE);
  }

  @Test
  void whoStalledLetsOthers() {
    lead();
    on(new Event.Lost(1, new LossReason.Stalled()));
    on(new Event.WorkEnded(1));
    assertThat(on(new Event.LeaseReleased(1)))
        .containsExactly(new Action.Pause(1, new PauseReason.LetOthers()));
  }

  /** A listener that is being called is user's code, like a loop. */
  @Test
  void aTermThatIsLostWhileItsElectionIsToldHasNoWorkAndWaitsForTheListeners() {
    on(new Event.Start());
    on(new Event.Won(1));
    assertThat(on(new Event.Lost(1, EXPIRED)))
        .containsExactly(new Action.NotifyEnding(1), new Action.NotifyLost(1, EXPIRED));
    assertThat(engine.role()).isEqualTo(Role.STEPPING_DOWN);
    assertThat(on(new Event.ElectedNotified(1)))
        .containsExactly(new Action.ReleaseLease(1, Optional.empty()));
  }

  @Test
  void whatIsWonTooLateIsGivenBack() {
    on(new Event.Start());
    assertThat(on(new Event.Close()))
        .containsExactly(new Action.Withdraw(1), new Action.NotifyClosed());
    assertThat(on(new Event.Won(1))).containsExactly(new Action.Discard(1));
  }

  @Test
  void anAttemptThatFailsIsMadeAgainLaterAndLater() {
    on(new Event.Start());
    assertThat(on(new Event.NotWon(1)))
        .containsExactly(new Action.Pause(1, new PauseReason.AfterFailures(1)));
    on(new Event.PauseOver(1));
    assertThat(on(new Event.NotWon(2)))
        .containsExactly(new Action.Pause(2, new PauseReason.AfterFailures(2)));
    on(new Event.PauseOver(2));
    on(new Event.Won(3));
    on(new Event.ElectedNotified(3));
    on(new Event.Lost(3, EXPIRED));
    on(new Event.WorkEnded(3));
    on(new Event.LeaseReleased(3));
    assertThat(on(new Event.NotWon(4)))
        .containsExactly(new Action.Pause(4, new PauseReason.AfterFailures(1)));
  }

  @Test
  void anHeirTakesWhatItWasGivenInsteadOfWaiting() {
    on(new Event.Start());
    assertThat(on(new Event.HandedOver(new Token(7))))
        .containsExactly(new Action.Withdraw(1), new Action.Inherit(2, new Token(7)));
    assertThat(on(new Event.Won(2))).containsExactly(new Action.NotifyElected(2));
    assertThat(on(new Event.HandedOver(new Token(8)))).as("it leads").isEmpty();
  }

  @Test
  void closingALeaderStopsItsWorkFirst() {
    lead();
    assertThat(on(new Event.Close()))
        .containsExactly(
            new Action.NotifyEnding(1),
            new Action.StopWork(1),
            new Action.WindDown(1),
            new Action.LimitShutdown());
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(
            new Action.NotifyLost(1, RELEASED), new Action.ReleaseLease(1, Optional.empty()));
    assertThat(on(new Event.LeaseReleased(1))).containsExactly(new Action.NotifyClosed());
    assertThat(engine.role()).isEqualTo(Role.CLOSED);
    assertThat(on(new Event.Start())).isEmpty();
  }

  @Test
  void closingDoesNotWaitForEverButGivesBackNothingThatStillRuns() {
    lead();
    on(new Event.Close());
    assertThat(on(new Event.ShutdownTimeout()))
        .containsExactly(new Action.NotifyLost(1, RELEASED), new Action.NotifyClosed());
    assertThat(on(new Event.WorkEnded(1)))
        .containsExactly(new Action.ReleaseLease(1, Optional.empty()));
    assertThat(on(new Event.LeaseReleased(1))).isEmpty();
  }

  @Test
  void aCandidateWhoseProcessClosesIsClosed() {
    on(new Event.Start());
    assertThat(on(new Event.AttemptCancelled(1))).containsExactly(new Action.NotifyClosed());
    assertThat(engine.role()).isEqualTo(Role.CLOSED);
  }

  @Test
  void newsOfAnEarlierCampaignChangesNothing() {
    lead();
    on(new Event.Lost(1, EXPIRED));
    on(new Event.WorkEnded(1));
    on(new Event.LeaseReleased(1));
    on(new Event.Won(2));
    for (Event late :
        List.of(
            new Event.Ending(1, UNREACHABLE),
            new Event.Lost(1, EXPIRED),
            new Event.ElectedNotified(1),
            new Event.WorkEnded(1),
            new Event.LeaseReleased(1),
            new Event.NotWon(1),
            new Event.PauseOver(1),
            new Event.AttemptCancelled(1))) {
      assertThat(on(late)).as("%s", late).isEmpty();
    }
    assertThat(engine.role()).isEqualTo(Role.LEADER);
  }
}
