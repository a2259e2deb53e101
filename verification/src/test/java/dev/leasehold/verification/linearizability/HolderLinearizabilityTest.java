package dev.leasehold.verification.linearizability;

import static dev.leasehold.verification.linearizability.Race.Call.call;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.verification.processes.OwnProcess;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** I9 under threads: the state that the holder's side shares between turns and callers. */
@ExtendWith(OwnProcess.class) // Lincheck changes the byte code of the whole process
class HolderLinearizabilityTest {
  private static final Race LOSS_WHILE_THE_WORK_ENDS =
      new Race(
          "a loss while the work ends",
          List.of(call("bind")),
          List.of(call("lose")),
          List.of(call("unbind"), call("cancelled"), call("cancelled")));

  private static final Race LOSS_WHILE_THE_WORK_BEGINS =
      new Race(
          "a loss while the work begins",
          List.of(),
          List.of(call("lose"), call("cancelled")),
          List.of(call("bind"), call("cancelled"), call("unbind")));

  private static final Race TWO_EVENTS =
      new Race(
          "two threads bring events",
          List.of(),
          List.of(call("count"), call("count")),
          List.of(call("count")));

  @Test
  void workThatHasEndedIsNotCancelled() {
    Effort.modelCheck(
        SignalOperations.class,
        SequentialSignals.class,
        List.of(LOSS_WHILE_THE_WORK_ENDS, LOSS_WHILE_THE_WORK_BEGINS));
  }

  @Test
  void canarySignalsThatCancelAMomentLaterAreCaught() {
    assertThatThrownBy(
            () ->
                Effort.modelCheck(
                    HastySignals.class, SequentialSignals.class, LOSS_WHILE_THE_WORK_ENDS))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  @Test
  void eventsTakeTurns() {
    Effort.modelCheck(TurnOperations.class, SequentialTurns.class, List.of(TWO_EVENTS));
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void anEventSeesWhatTheOneBeforeHasChanged() {
    Effort.stress(TurnOperations.class, SequentialTurns.class, List.of(TWO_EVENTS));
  }

  @Test
  void canaryEventsThatDoNotTakeTurnsAreCaught() {
    assertThatThrownBy(
            () -> Effort.modelCheck(UnguardedTurns.class, SequentialTurns.class, TWO_EVENTS))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }
}
