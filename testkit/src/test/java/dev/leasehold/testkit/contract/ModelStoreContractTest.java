package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.model.ModelLeaseStore;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.Rules;
import dev.leasehold.testkit.time.ManualClock;

class ModelStoreContractTest extends LeaseStoreContract {
  @Override
  protected StoreUnderTest open(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    ModelStore model = new ModelStore(Rules.sound(), Limits.SINGLE_NODE, startMillis);
    return new ClockedStore(new ModelLeaseStore(model, clock), clock);
  }
}
