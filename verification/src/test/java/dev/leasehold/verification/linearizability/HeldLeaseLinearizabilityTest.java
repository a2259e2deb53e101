package dev.leasehold.verification.linearizability;

import static dev.leasehold.verification.linearizability.Race.Call.call;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.verification.processes.OwnProcess;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** I9 under threads: each answer of a lease was true at one moment during the call. */
@ExtendWith(OwnProcess.class) // Lincheck changes the byte code of the whole process
class HeldLeaseLinearizabilityTest {
  static List<Race> races() {
    return List.of(
        new Race(
            "a loss while a caller asks",
            List.of(),
            List.of(call("renew", 200), call("lose")),
            List.of(call("trust"), call("over"), call("trust"))),
        new Race(
            "an answer that comes after the end",
            List.of(),
            List.of(call("giveUp"), call("renew", 200)),
            List.of(call("trust"), call("trust"))),
        new Race(
            "two threads move the work",
            List.of(call("progressed")),
            List.of(call("progressed"), call("progress")),
            List.of(call("progressed"), call("progress"))));
  }

  @Test
  void everyAnswerIsOfOneMoment() {
    Effort.modelCheck(LeaseOperations.class, SequentialLease.class, races());
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void everyAnswerIsOfOneMomentOnRealThreads() {
    Effort.stress(LeaseOperations.class, SequentialLease.class, races());
  }

  @ParameterizedTest
  @MethodSource("races")
  void canaryALeaseThatTakesTwoStepsIsCaught(Race race) {
    assertThatThrownBy(() -> Effort.modelCheck(HastyLease.class, SequentialLease.class, race))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }
}
