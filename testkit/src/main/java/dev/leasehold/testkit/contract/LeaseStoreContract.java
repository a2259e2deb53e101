package dev.leasehold.testkit.contract;

import dev.leasehold.testkit.suite.ContractSuite;
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
public abstract class LeaseStoreContract extends ContractSuite<StoreUnderTest> {
  @Nested
  class Acquiring extends AcquiringContract {}

  @Nested
  class Abandoning extends AbandoningContract {}

  @Nested
  class Renewing extends RenewingContract {}

  @Nested
  class Stalling extends StallingContract {}

  @Nested
  class EndingExpired extends EndingExpiredContract {}

  @Nested
  class Giving extends GivingContract {}

  @Nested
  class Revoking extends RevokingContract {}

  @Nested
  class Losing extends LosingContract {}

  @Nested
  class Purging extends PurgingContract {}

  @Nested
  class Incarnation extends IncarnationContract {}

  @Nested
  class Clock extends ClockContract {}

  @Nested
  class WellFormed extends WellFormedContract {}

  @Nested
  class Retry extends RetryContract {}

  @Nested
  class Repeating extends LeaseRepeatContract {}

  @Nested
  class Batch extends BatchContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Watching extends WatchingContract {}

  @Nested
  @Tag("ledger")
  class Ledgers extends LedgerContract {}

  @Nested
  class Closed extends ClosedContract {}

  @Nested
  class Differential extends LeaseDifferentialContract {}

  @Nested
  @Tag("concurrency")
  class Concurrency extends ConcurrentExclusionContract {}

  @Nested
  @Tag("concurrency")
  class Races extends RacesContract {}
}
