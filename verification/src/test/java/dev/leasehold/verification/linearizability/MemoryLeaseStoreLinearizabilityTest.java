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

/** I1, I2, I3 and I8 under threads: each command on the memory store takes effect at one moment. */
@ExtendWith(OwnProcess.class) // Lincheck changes the byte code of the whole process
class MemoryLeaseStoreLinearizabilityTest {
  static List<Race> races() {
    List<Race.Call> held = List.of(call("acquire", 0, 0, 0));
    return List.of(
        new Race(
            "two acquire one key",
            List.of(),
            List.of(call("acquire", 0, 0, 0)),
            List.of(call("acquire", 0, 1, 0), call("read", 0))),
        new Race(
            "one request is sent twice, and what it was granted is released",
            List.of(),
            List.of(call("acquire", 0, 0, 0)),
            List.of(call("acquire", 0, 0, 0), call("release", 0, 0, 1))),
        new Race(
            "an acquire and its abandonment",
            List.of(),
            List.of(call("acquire", 0, 0, 0)),
            List.of(call("abandon", 0, 0, 0), call("read", 0))),
        new Race(
            "a release and a hand-over",
            held,
            List.of(call("release", 0, 0, 1)),
            List.of(call("handOver", 0, 0, 1), call("renew", 0, 1, 2))),
        new Race(
            "a renewal and a revocation that another holder follows",
            held,
            List.of(call("renew", 0, 0, 1)),
            List.of(call("revoke", 0, 0), call("acquire", 0, 1, 0))));
  }

  @Test
  void everyInterleavingOfTheStoreIsASequence() {
    Effort.modelCheck(MemoryStoreOperations.class, RulesOverMap.class, races());
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void theStorePublishesWhatItHasDecided() {
    Effort.stress(MemoryStoreOperations.class, RulesOverMap.class, races());
  }

  /**
   * That the races catch what they are for is shown by some in a build, and by all in the proof.
   */
  static List<Race> canaries() {
    return Boolean.getBoolean("leasehold.proof") ? races() : races().subList(0, 2);
  }

  @ParameterizedTest
  @MethodSource("canaries")
  void canaryAStoreThatDecidesOutsideOfALockIsCaught(Race race) {
    assertThatThrownBy(() -> Effort.modelCheck(RulesOverMap.class, RulesOverMap.class, race))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }
}
