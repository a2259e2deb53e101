package dev.leasehold.testkit.history;

import static dev.leasehold.testkit.history.HistoryScript.ALICE;
import static dev.leasehold.testkit.history.HistoryScript.BOB;
import static dev.leasehold.testkit.history.HistoryScript.acquire;
import static dev.leasehold.testkit.history.HistoryScript.ok;
import static dev.leasehold.testkit.history.HistoryScript.okGranted;
import static dev.leasehold.testkit.history.HistoryScript.release;
import static dev.leasehold.testkit.history.HistoryScript.renewal;
import static dev.leasehold.testkit.history.HistoryScript.request;
import static dev.leasehold.testkit.history.HistoryScript.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.rules.Remembered.Verb;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Violations that show in what clients were told, and when. */
class PlantedTellingsTest {
  private static final Result UNKNOWN = new Result.Unknown("connection reset");
  private static final Result RENEWED = ok(new Answer.Renewed(30));

  private static void assertBroken(Invariant only, HistoryScript script) {
    assertThat(script.verdict().broken()).containsExactly(only);
  }

  private static void assertBrokenByCalls(Invariant only, HistoryScript script) {
    assertThat(HistoryChecks.checkCallsAlone(script.history()).broken()).containsExactly(only);
  }

  private static HistoryScript granted() {
    return new HistoryScript().call(acquire("a", ALICE), 10, 20, okGranted(1));
  }

  private static Result grantedAt(long storeMillis, long counter) {
    return ok(new Answer.Granted(token(counter), storeMillis, storeMillis + 30, 30));
  }

  @Test
  void aTakeoverInTheTimeThatAnAcknowledgedRenewalHasWon() {
    HistoryScript script =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(renewal(1, ALICE), 30, 40, RENEWED)
            .call(acquire("b", BOB), 50, 60, grantedAt(49, 2));
    assertBrokenByCalls(Invariant.I1, script);
  }

  @Test
  void butNotOneAtItsVeryEnd() {
    HistoryScript script =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(renewal(1, ALICE), 30, 40, RENEWED)
            .call(acquire("b", BOB), 50, 60, grantedAt(50, 2));
    HistoryChecks.checkCallsAlone(script.history()).requireClean();
  }

  @Test
  void aTakeoverFromAnHeirThatHasRenewed() {
    HistoryScript script =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(handOver(), 30, 40, ok(new Answer.HandedOver(token(2))))
            .call(renewal(2, BOB), 50, 60, RENEWED)
            .call(acquire("b", ALICE), 70, 80, grantedAt(49, 3));
    assertBrokenByCalls(Invariant.I1, script);
  }

  private static Ask handOver() {
    return new Ask.Requested(
        HistoryScript.KEY, request("h", ALICE, Verb.HAND_OVER), Optional.of(token(1)));
  }

  @Test
  void aRepeatThatIsGrantedAfterItsReleaseWasTold() {
    HistoryScript script =
        granted()
            .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released()))
            .call(acquire("a", ALICE), 50, 60, okGranted(1));
    assertBrokenByCalls(Invariant.I3, script);
  }

  @Test
  void aRepeatThatIsGrantedAfterItsSuccessorWasTold() {
    HistoryScript script =
        granted()
            .granted(0, 1, acquire("a", ALICE))
            .call(acquire("b", BOB), 30, 40, grantedAt(40, 2))
            .granted(40, 2, acquire("b", BOB))
            .call(acquire("a", ALICE), 50, 60, okGranted(1));
    assertBroken(Invariant.I3, script);
    assertBrokenByCalls(Invariant.I3, script);
  }

  @Test
  void butARepeatThatWasOnItsWayMayHaveBeenDecidedBefore() {
    HistoryScript script =
        granted()
            .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released()))
            .call(acquire("a", ALICE), 39, 60, okGranted(1));
    HistoryChecks.checkCallsAlone(script.history()).requireClean();
  }

  @Test
  void aGrantToACallThatWasSentAfterItsAbandonWasAcknowledged() {
    HistoryScript script =
        new HistoryScript()
            .call(request("a", ALICE, Verb.ABANDON), 10, 20, ok(new Answer.Abandoned()))
            .call(acquire("a", ALICE), 30, 40, okGranted(1));
    assertBrokenByCalls(Invariant.I3, script);
  }

  @Test
  void aRenewalOfAnOldIncarnationAfterTheAdvanceWasTold() {
    HistoryScript script =
        granted()
            .add(new Fault.IncarnationAdvanced(25, token(1).incarnation() + 1))
            .call(renewal(1, ALICE), 30, 40, RENEWED);
    assertBrokenByCalls(Invariant.I3, script);
  }

  @Test
  void aRepeatOfAnOldIncarnationAfterTheAdvanceWasTold() {
    HistoryScript script =
        granted()
            .add(new Fault.IncarnationAdvanced(25, token(1).incarnation() + 1))
            .call(acquire("a", ALICE), 30, 40, okGranted(1));
    assertBrokenByCalls(Invariant.I3, script);
  }

  @Test
  void moreTimeThanTheLogEverGave() {
    assertBroken(
        Invariant.I6,
        granted()
            .granted(0, 1, acquire("a", ALICE))
            .call(renewal(1, ALICE), 30, 40, ok(new Answer.Renewed(31)))
            .renewed(5, 1));
  }

  @Test
  void aGrantWithMoreTimeThanTheLogHas() {
    assertBroken(
        Invariant.I6,
        new HistoryScript()
            .call(acquire("a", ALICE), 10, 20, ok(new Answer.Granted(token(1), 0, 30, 31)))
            .granted(0, 1, acquire("a", ALICE)));
  }

  @Test
  void aLostRenewalBehindAnUnknownOneThatTookEffect() {
    assertBroken(
        Invariant.I7,
        granted()
            .granted(0, 1, acquire("a", ALICE))
            .call(renewal(1, ALICE), 30, 40, UNKNOWN)
            .renewed(5, 1)
            .add(new Event.ClockShown(45, 6))
            .call(renewal(1, ALICE), 50, 60, RENEWED));
  }
}
