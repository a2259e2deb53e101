package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.suite.Comparison;
import dev.leasehold.testkit.suite.DifferentialContract;
import dev.leasehold.testkit.suite.SideBySide;
import dev.leasehold.testkit.time.ManualClock;

/** Every outcome and every object is the memory store's. */
abstract class ObjectsDifferentialContract extends DifferentialContract<ObjectsUnderTest> {
  @Override
  protected Comparison<?> comparison() {
    return new SideBySide<>(
        this::open, ObjectsDifferentialContract::reference, ObjectStepGenerator::new);
  }

  /** A step has up to six writes. */
  @Override
  protected int defaultSteps() {
    return 300;
  }

  static ObjectsUnderTest reference(long startMillis) {
    ManualClock clock = new ManualClock(startMillis);
    MemoryStore store = new MemoryStore(clock, Limits.SINGLE_NODE);
    return new ObjectsUnderTest(
        new ClockedStore(store.leases(), clock), store.objects(), store.objects());
  }
}
