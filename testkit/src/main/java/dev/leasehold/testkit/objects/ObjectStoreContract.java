package dev.leasehold.testkit.objects;

import dev.leasehold.testkit.suite.ContractSuite;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of a store of versioned objects. A store passes it by subclassing this once and
 * saying how a fresh one is opened.
 */
public abstract class ObjectStoreContract extends ContractSuite<ObjectsUnderTest> {
  @Nested
  class Writing extends WritingContract {}

  @Nested
  class Versions extends VersionsContract {}

  @Nested
  class Repeating extends RepeatingContract {}

  @Nested
  class Repeats extends ObjectRepeatContract {}

  @Nested
  class Fencing extends ObjectFencingContract {}

  @Nested
  class Bindings extends BindingContract {}

  @Nested
  class Reading extends ReadingContract {}

  @Nested
  class Differential extends ObjectsDifferentialContract {}

  @Nested
  @Tag("concurrency")
  class Concurrency extends ObjectRacesContract {}
}
