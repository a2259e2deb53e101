package dev.leasehold.verification.processes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that ends its process. The name of the class keeps it out of the normal build. */
@ExtendWith(OwnProcess.class)
final class PlantedDeath {
  @Test
  void endsItsProcess() {
    Runtime.getRuntime().halt(3);
  }
}
