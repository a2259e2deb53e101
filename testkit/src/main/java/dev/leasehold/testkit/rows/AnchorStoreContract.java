package dev.leasehold.testkit.rows;

import dev.leasehold.testkit.suite.ContractSuite;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of anchors. A store passes it by subclassing this once and saying how a fresh one is
 * opened.
 */
public abstract class AnchorStoreContract extends ContractSuite<AnchorsUnderTest> {
  @Nested
  class Opening extends OpeningContract {}

  @Nested
  class Orphaned extends OrphanContract {}

  @Nested
  class Adopting extends AdoptingContract {}

  @Nested
  class Forgetting extends ForgettingContract {}

  @Nested
  @Tag("concurrency")
  class Races extends AdoptionRacesContract {}
}
