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

/** I4: once a token was admitted or sealed, no change with a lower one takes effect. */
@ExtendWith(OwnProcess.class) // Lincheck changes the byte code of the whole process
class MemoryFenceLinearizabilityTest {
  /** A change by the holder of token 1 meets its successor. */
  static List<Race> races() {
    return List.of(
        new Race(
            "two changes", List.of(), List.of(call("change", 0, 1)), List.of(call("change", 0, 2))),
        new Race(
            "a change and a successor that seals and reads",
            List.of(call("change", 0, 1)),
            List.of(call("change", 0, 1)),
            List.of(call("seal", 0, 2), call("change", 0, 2), call("change", 0, 2))),
        new Race(
            "a change and a successor that is admitted",
            List.of(call("admit", 0, 1)),
            List.of(call("change", 0, 1), call("change", 0, 3)),
            List.of(call("admit", 0, 2), call("change", 0, 2), call("admit", 0, 1))));
  }

  @Test
  void everyInterleavingOfTheFenceIsASequence() {
    Effort.modelCheck(FenceOperations.class, SequentialFence.class, races());
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void theFencePublishesWhatIsChangedThroughIt() {
    Effort.stress(FenceOperations.class, SequentialFence.class, races());
  }

  @ParameterizedTest
  @MethodSource("races")
  void canaryAFenceThatIsOnlyAskedBeforehandIsCaught(Race race) {
    assertThatThrownBy(() -> Effort.modelCheck(AdmitThenChange.class, SequentialFence.class, race))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }
}
