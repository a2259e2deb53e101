package dev.leasehold.testkit.history;

import static dev.leasehold.testkit.history.HistoryScript.ALICE;
import static dev.leasehold.testkit.history.HistoryScript.BOB;
import static dev.leasehold.testkit.history.HistoryScript.acquire;
import static dev.leasehold.testkit.history.HistoryScript.ok;
import static dev.leasehold.testkit.history.HistoryScript.okGranted;
import static dev.leasehold.testkit.history.HistoryScript.operator;
import static dev.leasehold.testkit.history.HistoryScript.release;
import static dev.leasehold.testkit.history.HistoryScript.renewal;
import static dev.leasehold.testkit.history.HistoryScript.request;
import static dev.leasehold.testkit.history.HistoryScript.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.rules.Remembered.Verb;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every planted violation is found, by the checker that is meant for it and by no other. */
class PlantedViolationsTest {
  private static final Result FAILED = new Result.Failed("40001");
  private static final Result UNKNOWN = new Result.Unknown("connection reset");

  /** A grant, its release and a second grant, as they should be. */
  private static HistoryScript legal() {
    return new HistoryScript()
        .call(acquire("r1", ALICE), 10, 20, okGranted(1))
        .granted(0, 1, acquire("r1", ALICE))
        .call(renewal(1, ALICE), 30, 40, ok(new Answer.Renewed(30)))
        .renewed(10, 1)
        .call(release("r2", 1, ALICE), 50, 60, ok(new Answer.Released()))
        .released(20, 1, request("r2", ALICE, Verb.RELEASE))
        .call(acquire("r3", BOB), 70, 80, okGranted(2))
        .granted(21, 2, acquire("r3", BOB));
  }

  private static void assertBroken(Invariant only, HistoryScript script) {
    CheckResult verdict = script.verdict();
    assertThat(verdict.broken()).as(verdict.toString()).containsExactly(only);
    assertThat(verdict.violations().getFirst().evidence()).isNotEmpty();
  }

  @Test
  void theLegalSceneRaisesNoAlarm() {
    legal().verdict().requireClean();
  }

  @Nested
  class I1 {
    @Test
    void aGrantWhileAnotherIsUnexpired() {
      assertBroken(
          Invariant.I1,
          new HistoryScript().granted(0, 1, acquire("a", ALICE)).granted(10, 2, acquire("b", BOB)));
    }

    @Test
    void aGrantInTheTimeThatARenewalHasWon() {
      assertBroken(
          Invariant.I1,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .renewed(20, 1)
              .granted(31, 2, acquire("b", BOB)));
    }

    @Test
    void aReleaseWrittenAfterwardsDoesNotHideAnOverlap() {
      assertBroken(
          Invariant.I1,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .granted(10, 2, acquire("b", BOB))
              .released(10, 1, request("c", ALICE, Verb.RELEASE)));
    }

    @Test
    void purgingALiveGrantDoesNotHideAnOverlap() {
      assertBroken(
          Invariant.I1,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .log(5, new LogEntry.Purged(token(1)))
              .granted(10, 2, acquire("b", BOB)));
    }

    @Test
    void withoutALogAGrantThatFollowsDirectlyBeforeTheFirstExpiry() {
      HistoryScript script =
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, ok(new Answer.Granted(token(1), 0, 30, 30)))
              .call(acquire("b", BOB), 30, 40, ok(new Answer.Granted(token(2), 10, 40, 30)));
      assertThat(HistoryChecks.checkCallsAlone(script.history()).broken())
          .containsExactly(Invariant.I1);
    }
  }

  @Nested
  class I2 {
    @Test
    void aTokenThatGoesBackAfterAPurge() {
      assertBroken(
          Invariant.I2,
          new HistoryScript()
              .granted(0, 5, acquire("a", ALICE))
              .released(1, 5, request("b", ALICE, Verb.RELEASE))
              .log(900, new LogEntry.Purged(token(5)))
              .granted(901, 1, acquire("c", BOB)));
    }

    @Test
    void aTokenThatAVoidOneHasTaken() {
      assertBroken(
          Invariant.I2,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .log(5, new LogEntry.Revoked(token(2), Optional.of(token(1)), operator("o")))
              .granted(40, 2, acquire("b", BOB)));
    }

    @Test
    void aLowerTokenForARequestThatWasSentLater() {
      assertBroken(
          Invariant.I2,
          new HistoryScript()
              .granted(0, 1, acquire("b", BOB))
              .granted(50, 2, acquire("a", ALICE))
              .call(acquire("a", ALICE), 10, 20, okGranted(2))
              .call(acquire("b", BOB), 30, 40, ok(new Answer.Ended(token(1), "superseded"))));
    }

    @Test
    void oneTokenForTwoRequests() {
      HistoryScript script =
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 40, okGranted(1))
              .call(acquire("b", BOB), 10, 40, okGranted(1));
      assertThat(HistoryChecks.checkCallsAlone(script.history()).broken())
          .containsExactly(Invariant.I2);
    }

    @Test
    void aTokenOfTheOldIncarnationAfterTheAdvance() {
      assertBroken(
          Invariant.I2,
          new HistoryScript()
              .add(new Fault.IncarnationAdvanced(5, token(1).incarnation() + 1))
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .granted(0, 1, acquire("a", ALICE)));
    }

    @Test
    void aTokenThatWasAcknowledgedBeforeARollback() {
      assertBroken(
          Invariant.I2,
          new HistoryScript()
              .add(new Fault.RolledBack(5, 25))
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .call(acquire("b", BOB), 30, 40, okGranted(1))
              .granted(0, 1, acquire("b", BOB)));
    }
  }

  @Nested
  class I3 {
    @Test
    void aRenewalAfterALapse() {
      assertBroken(
          Invariant.I3,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .log(30, new LogEntry.Lapsed(token(1)))
              .renewed(30, 1));
    }

    @Test
    void aRenewalAfterTheExpiry() {
      assertBroken(
          Invariant.I3, new HistoryScript().granted(0, 1, acquire("a", ALICE)).renewed(30, 1));
    }

    @Test
    void aRenewalAfterATakeover() {
      assertBroken(
          Invariant.I3,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .granted(40, 2, acquire("b", BOB))
              .renewed(41, 1));
    }

    @Test
    void aRenewalThatSucceedsAfterItsReleaseWasTold() {
      HistoryScript script =
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released()))
              .call(renewal(1, ALICE), 50, 60, ok(new Answer.Renewed(30)));
      assertThat(HistoryChecks.checkCallsAlone(script.history()).broken())
          .containsExactly(Invariant.I3);
    }

    @Test
    void aRenewalThatSucceedsAfterASuccessorWasTold() {
      HistoryScript script =
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .call(acquire("b", BOB), 30, 40, ok(new Answer.Granted(token(2), 40, 70, 30)))
              .call(renewal(1, ALICE), 50, 60, ok(new Answer.Renewed(30)));
      assertThat(HistoryChecks.checkCallsAlone(script.history()).broken())
          .containsExactly(Invariant.I3);
    }

    @Test
    void aGrantToARequestThatWasGivenUp() {
      assertBroken(
          Invariant.I3,
          new HistoryScript()
              .log(0, new LogEntry.Abandoned(Optional.empty(), request("a", ALICE, Verb.ABANDON)))
              .granted(1, 1, acquire("a", ALICE)));
    }

    @Test
    void aHandOverOfAGrantThatWasRevoked() {
      assertBroken(
          Invariant.I3,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .log(5, new LogEntry.Revoked(token(2), Optional.of(token(1)), operator("o")))
              .log(
                  6,
                  new LogEntry.HandedOver(
                      token(1), token(3), BOB, request("h", ALICE, Verb.HAND_OVER), 36)));
    }
  }

  @Nested
  class I4 {
    private HistoryScript twoGrants() {
      return new HistoryScript()
          .granted(0, 1, acquire("a", ALICE))
          .granted(40, 2, acquire("b", BOB));
    }

    @Test
    void aChangeBelowTheSeal() {
      assertBroken(
          Invariant.I4,
          twoGrants().target(2, new TargetEvent.Sealed()).target(1, new TargetEvent.Changed()));
    }

    @Test
    void anAdmissionBelowAChange() {
      assertBroken(
          Invariant.I4,
          twoGrants().target(2, new TargetEvent.Changed()).target(1, new TargetEvent.Admitted()));
    }

    @Test
    void aTokenThatWasNeverGranted() {
      assertBroken(Invariant.I4, twoGrants().target(3, new TargetEvent.Admitted()));
    }

    @Test
    void aChangeUnderAVoidToken() {
      assertBroken(
          Invariant.I4,
          new HistoryScript()
              .log(5, new LogEntry.Revoked(token(1), Optional.empty(), operator("o")))
              .target(1, new TargetEvent.Sealed())
              .target(1, new TargetEvent.Changed()));
    }

    @Test
    void aTokenThatWasGrantedOnlyLater() {
      assertBroken(
          Invariant.I4,
          new HistoryScript()
              .target(1, 5, new TargetEvent.Changed())
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .granted(0, 1, acquire("a", ALICE)));
    }
  }

  @Nested
  class I5 {
    @Test
    void aChangeAfterATakeover() {
      assertBroken(
          Invariant.I5,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .granted(40, 2, acquire("b", BOB))
              .target(1, new TargetEvent.ChangedAtEffect(2)));
    }

    @Test
    void aChangeAfterARelease() {
      assertBroken(
          Invariant.I5,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .released(5, 1, request("b", ALICE, Verb.RELEASE))
              .target(1, new TargetEvent.ChangedAtEffect(2)));
    }

    @Test
    void aChangeBeforeItsGrant() {
      assertBroken(
          Invariant.I5,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .target(1, new TargetEvent.ChangedAtEffect(0)));
    }

    @Test
    void butAChangeByALapsedGrantThatNoGrantFollowedIsInOrder() {
      new HistoryScript()
          .granted(0, 1, acquire("a", ALICE))
          .log(30, new LogEntry.Lapsed(token(1)))
          .target(1, new TargetEvent.ChangedAtEffect(2))
          .verdict()
          .requireClean();
    }
  }

  @Nested
  class I7 {
    @Test
    void aLostGrant() {
      assertBroken(
          Invariant.I7, new HistoryScript().call(acquire("a", ALICE), 10, 20, okGranted(1)));
    }

    @Test
    void aGrantThatAnotherInstanceHas() {
      assertBroken(
          Invariant.I7,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .granted(0, 1, acquire("a", BOB)));
    }

    @Test
    void aLostRenewal() {
      assertBroken(
          Invariant.I7, legal().call(renewal(1, ALICE), 42, 45, ok(new Answer.Renewed(30))));
    }

    @Test
    void aLostRelease() {
      assertBroken(
          Invariant.I7,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released())));
    }

    @Test
    void butNotWhatAPlannedRollbackHasUndone() {
      new HistoryScript()
          .add(new Fault.RolledBack(15, 25))
          .call(acquire("a", ALICE), 10, 20, okGranted(1))
          .verdict()
          .requireClean();
    }

    @Test
    void andARollbackDoesNotExcuseWhatWasInTheBackup() {
      assertBroken(
          Invariant.I7,
          new HistoryScript()
              .add(new Fault.RolledBack(21, 25))
              .call(acquire("a", ALICE), 10, 20, okGranted(1)));
    }
  }

  @Nested
  class I8 {
    @Test
    void aRetriedGrantWithADifferentToken() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .call(acquire("a", ALICE), 30, 40, okGranted(2))
              .granted(0, 1, acquire("a", ALICE)));
    }

    @Test
    void aRequestThatTookEffectTwice() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, UNKNOWN)
              .call(acquire("a", ALICE), 30, 40, okGranted(2))
              .granted(0, 1, acquire("a", ALICE))
              .granted(40, 2, acquire("a", ALICE)));
    }

    @Test
    void aFailedCallThatTookEffect() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, FAILED)
              .granted(0, 1, acquire("a", ALICE)));
    }

    @Test
    void aFailedRenewalThatTookEffect() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .granted(0, 1, acquire("a", ALICE))
              .call(renewal(1, ALICE), 10, 20, FAILED)
              .renewed(10, 1));
    }

    @Test
    void aRetryThatIsToldOfItsOwnGrantAsHeld() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(1))
              .granted(0, 1, acquire("a", ALICE))
              .call(acquire("a", ALICE), 30, 40, ok(new Answer.Refused("held"))));
    }

    @Test
    void anAnswerWithAnotherTokenThanTheLog() {
      assertBroken(
          Invariant.I8,
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, okGranted(2))
              .granted(0, 1, acquire("a", ALICE)));
    }

    @Test
    void butAnUnknownCallMayHaveTakenEffect() {
      CheckResult verdict =
          new HistoryScript()
              .call(acquire("a", ALICE), 10, 20, UNKNOWN)
              .granted(0, 1, acquire("a", ALICE))
              .verdict();
      verdict.requireClean();
      assertThat(verdict.tally().of(Tally.Count.UNKNOWNS_APPLIED)).isEqualTo(1);
    }
  }

  @Test
  void manyViolationsAreCountedAndAFewAreKept() {
    HistoryScript script = new HistoryScript();
    for (int i = 1; i <= 1_000; i++) {
      script.granted(i, i, acquire("r" + i, ALICE));
    }
    CheckResult verdict = script.verdict();
    assertThat(verdict.count()).isEqualTo(999);
    assertThat(verdict.violations()).hasSize(20);
    assertThat(verdict.violations().getFirst().sentence())
        .isEqualTo(
            "token "
                + Token.of(7, 2)
                + " of lock/planted was granted at store time 2, while an earlier grant lasted"
                + " until 31");
  }
}
