package dev.leasehold.testkit.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of a store. A store passes it by subclassing this once and saying how a fresh one is
 * opened; every rule, the retries, batches, reading, watching, and the comparison with the model
 * come with it:
 *
 * <pre>{@code
 * class MyStoreContractTest extends LeaseStoreContract {
 *   @Override
 *   protected StoreUnderTest open(long startMillis) {
 *     return ClockedStore.of(startMillis, clock -> new MyStore(clock));
 *   }
 * }
 * }</pre>
 */
public abstract class LeaseStoreContract {
  /** Opens a fresh, empty store whose clock shows this time and stands still. */
  protected abstract StoreUnderTest open(long startMillis);

  @Nested
  class Acquiring extends AcquiringContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Abandoning extends AbandoningContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Renewing extends RenewingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Stalling extends StallingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Giving extends GivingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Revoking extends RevokingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Losing extends LosingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Purging extends PurgingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Incarnation extends IncarnationContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Clock extends ClockContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class WellFormed extends WellFormedContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Retry extends RetryContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Batch extends BatchContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Listing extends ListingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Watching extends WatchingContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  @Tag("ledger")
  class Ledgers extends LedgerContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Closed extends ClosedContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  class Differential extends DifferentialContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }

    @Override
    protected String storeName() {
      return LeaseStoreContract.this.getClass().getSimpleName();
    }
  }

  @Nested
  @Tag("concurrency")
  class Concurrency extends ConcurrentExclusionContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }

  @Nested
  @Tag("concurrency")
  class Races extends RacesContract {
    @Override
    protected StoreUnderTest open(long startMillis) {
      return LeaseStoreContract.this.open(startMillis);
    }
  }
}
