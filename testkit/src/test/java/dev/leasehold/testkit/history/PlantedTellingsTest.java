package dev.leasehold.testkit.history;

import static dev.leasehold.testkit.history.Scene.ALICE;
import static dev.leasehold.testkit.history.Scene.BOB;
import static dev.leasehold.testkit.history.Scene.acquire;
import static dev.leasehold.testkit.history.Scene.ok;
import static dev.leasehold.testkit.history.Scene.okGranted;
import static dev.leasehold.testkit.history.Scene.release;
import static dev.leasehold.testkit.history.Scene.renewal;
import static dev.leasehold.testkit.history.Scene.request;
import static dev.leasehold.testkit.history.Scene.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.rules.Remembered.Verb;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Violations that show in what clients were told, and when. */
class PlantedTellingsTest {
  private static final Result UNKNOWN = new Result.Unknown("connection reset");
  private static final Result RENEWED = ok(new Answer.Renewed(30));

  private static void assertBroken(Invariant only, Scene scene) {
    assertThat(scene.verdict().broken()).containsExactly(only);
  }

  private static void assertBrokenByCalls(Invariant only, Scene scene) {
    assertThat(HistoryChecks.checkCallsAlone(scene.history()).broken()).containsExactly(only);
  }

  private static Scene granted() {
    return new Scene().call(acquire("a", ALICE), 10, 20, okGranted(1));
  }

  private static Result grantedAt(long storeMillis, long counter) {
    return ok(new Answer.Granted(token(counter), storeMillis, storeMillis + 30, 30));
  }

  @Test
  void aTakeoverInTheTimeThatAnAcknowledgedRenewalHasWon() {
    Scene scene =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(renewal(1, ALICE), 30, 40, RENEWED)
            .call(acquire("b", BOB), 50, 60, grantedAt(49, 2));
    assertBrokenByCalls(Invariant.I1, scene);
  }

  @Test
  void butNotOneAtItsVeryEnd() {
    Scene scene =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(renewal(1, ALICE), 30, 40, RENEWED)
            .call(acquire("b", BOB), 50, 60, grantedAt(50, 2));
    HistoryChecks.checkCallsAlone(scene.history()).requireClean();
  }

  @Test
  void aTakeoverFromAnHeirThatHasRenewed() {
    Scene scene =
        granted()
            .add(new Event.ClockShown(25, 20))
            .call(handOver(), 30, 40, ok(new Answer.HandedOver(token(2))))
            .call(renewal(2, BOB), 50, 60, RENEWED)
            .call(acquire("b", ALICE), 70, 80, grantedAt(49, 3));
    assertBrokenByCalls(Invariant.I1, scene);
  }

  private static Ask handOver() {
    return new Ask.Requested(Scene.KEY, request("h", ALICE, Verb.HAND_OVER), Optional.of(token(1)));
  }

  @Test
  void aRepeatThatIsGrantedAfterItsReleaseWasTold() {
    Scene scene =
        granted()
            .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released()))
            .call(acquire("a", ALICE), 50, 60, okGranted(1));
    assertBrokenByCalls(Invariant.I3, scene);
  }

  @Test
  void aRepeatThatIsGrantedAfterItsSuccessorWasTold() {
    Scene scene =
        granted()
            .granted(0, 1, acquire("a", ALICE))
            .call(acquire("b", BOB), 30, 40, grantedAt(40, 2))
            .granted(40, 2, acquire("b", BOB))
            .call(acquire("a", ALICE), 50, 60, okGranted(1));
    assertBroken(Invariant.I3, scene);
    assertBrokenByCalls(Invariant.I3, scene);
  }

  @Test
  void butARepeatThatWasOnItsWayMayHaveBeenDecidedBefore() {
    Scene scene =
        granted()
            .call(release("b", 1, ALICE), 30, 40, ok(new Answer.Released()))
            .call(acquire("a", ALICE), 39, 60, okGranted(1));
    HistoryChecks.checkCallsAlone(scene.history()).requireClean();
  }

  @Test
  void aGrantToACallThatWasSentAfterItsAbandonWasAcknowledged() {
    Scene scene =
        new Scene()
            .call(request("a", ALICE, Verb.ABANDON), 10, 20, ok(new Answer.Abandoned()))
            .call(acquire("a", ALICE), 30, 40, okGranted(1));
    assertBrokenByCalls(Invariant.I3, scene);
  }

  @Test
  void aRenewalOfAnOldIncarnationAfterTheAdvanceWasTold() {
    Scene scene =
        granted()
            .add(new Fault.IncarnationAdvanced(25, token(1).incarnation() + 1))
            .call(renewal(1, ALICE), 30, 40, RENEWED);
    assertBrokenByCalls(Invariant.I3, scene);
  }

  @Test
  void aRepeatOfAnOldIncarnationAfterTheAdvanceWasTold() {
    Scene scene =
        granted()
            .add(new Fault.IncarnationAdvanced(25, token(1).incarnation() + 1))
            .call(acquire("a", ALICE), 30, 40, okGranted(1));
    assertBrokenByCalls(Invariant.I3, scene);
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
        new Scene()
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
