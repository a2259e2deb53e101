package dev.leasehold.verification.processes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that fail on purpose. The name of the class keeps it out of the normal build. */
@ExtendWith(OwnProcess.class)
final class PlantedFailures {
  @Test
  void runsElsewhere() {
    if (!Boolean.getBoolean(OwnProcess.IS_OWN)) {
      throw new AssertionError("it ran in the process of the build");
    }
  }

  @Test
  void fails() {
    throw new AssertionError("planted");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void failsForSome(int number) {
    if (number == 2) {
      throw new AssertionError("planted for 2");
    }
  }
}
