package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.suite.Comparison;
import dev.leasehold.testkit.suite.DifferentialContract;
import dev.leasehold.testkit.suite.SideBySide;

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
    ClockedStore leases =
        ClockedStore.of(startMillis, clock -> new MemoryLeaseStore(clock, Limits.SINGLE_NODE));
    MemoryObjectStore objects = new MemoryObjectStore((MemoryLeaseStore) leases.store());
    return new ObjectsUnderTest(leases, objects, objects);
  }
}
