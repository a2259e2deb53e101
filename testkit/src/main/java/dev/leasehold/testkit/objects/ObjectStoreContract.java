package dev.leasehold.testkit.objects;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of a store of versioned objects. A store passes it by subclassing this once and
 * saying how a fresh one is opened.
 */
public abstract class ObjectStoreContract {
  /** Opens a fresh, empty store whose clock shows this time and stands still. */
  protected abstract ObjectsUnderTest open(long startMillis);

  @Nested
  class Writing extends WritingContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Versions extends VersionsContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Repeating extends RepeatingContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Fencing extends FencingContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Reading extends ReadingContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }

  @Nested
  @Tag("differential")
  class Differential extends ObjectsDifferentialContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }

    @Override
    protected String storeName() {
      return ObjectStoreContract.this.getClass().getSimpleName();
    }
  }

  @Nested
  @Tag("concurrency")
  class Concurrency extends ObjectRacesContract {
    @Override
    protected ObjectsUnderTest open(long startMillis) {
      return ObjectStoreContract.this.open(startMillis);
    }
  }
}
