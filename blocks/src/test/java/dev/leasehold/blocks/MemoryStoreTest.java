package dev.leasehold.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Store;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
  @Test
  void it_has_leases_and_objects_and_says_so() {
    try (MemoryStore store = MemoryStore.open()) {
      assertThat(store.part(LeaseStore.class)).containsSame(store.leases());
      assertThat(store.part(ObjectStore.class)).containsSame(store.objects());
      assertThat(store.part(Runnable.class)).isEmpty();
      assertThat(VersionedObjects.on(store)).isNotNull();
    }
  }

  @Test
  void leases_alone_are_a_store_that_says_what_it_lacks() {
    try (MemoryStore memory = MemoryStore.open();
        Store leases = Store.of(memory.leases())) {
      assertThat(leases.part(LeaseStore.class)).containsSame(memory.leases());
      assertThat(leases.part(ObjectStore.class)).isEmpty();
      assertThatThrownBy(() -> VersionedObjects.on(leases))
          .isInstanceOf(IllFormedException.class)
          .hasMessage("this kind of store has no objects: a store in a database has them");
    }
  }
}
