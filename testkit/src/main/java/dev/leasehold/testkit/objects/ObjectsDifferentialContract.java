package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.contract.ClockedStore;
import dev.leasehold.testkit.random.Seed;
import org.junit.jupiter.api.Test;

/**
 * Every outcome and every object is the reference store's, through random batches. {@code
 * -Dleasehold.contract.seeds=N} and {@code -Dleasehold.contract.steps=N} say how many.
 */
abstract class ObjectsDifferentialContract {
  protected abstract ObjectsUnderTest open(long startMillis);

  /** Whose contract it is, for the line that tells the seed. */
  protected abstract String storeName();

  @Test
  void the_store_answers_and_keeps_as_the_reference_does() {
    int seeds = Integer.getInteger("leasehold.contract.seeds", 3);
    int steps = Integer.getInteger("leasehold.contract.steps", 300);
    Seed base = Seed.forTest("differential contract of objects of " + storeName());
    for (int i = 0; i < seeds; i++) {
      try (ObjectsUnderTest tested = open(ObjectsGroup.START);
          ObjectsUnderTest reference = reference()) {
        ObjectScript script = new ObjectScript(base.nth(i).random(), ObjectsGroup.START);
        for (int step = 0; step < steps; step++) {
          ObjectScript.Step next = script.next();
          assertThat(next.on(tested))
              .as("step %d, %s; to see it again: %s (number %d from it)", step, next, base, i)
              .isEqualTo(script.learned(next.on(reference)));
        }
      }
    }
  }

  static ObjectsUnderTest reference() {
    ClockedStore leases =
        ClockedStore.of(
            ObjectsGroup.START, clock -> new MemoryLeaseStore(clock, Limits.SINGLE_NODE));
    MemoryObjectStore objects = new MemoryObjectStore((MemoryLeaseStore) leases.store());
    return new ObjectsUnderTest(leases, objects, objects);
  }
}
