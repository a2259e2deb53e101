package dev.leasehold.blocks;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.blocks.rows.memory.MemoryAnchorStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Store;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Leases and the rows of every block in memory, for one process while it lives: for tests and
 * experiments.
 *
 * <pre>{@code
 * try (MemoryStore store = MemoryStore.open();
 *     Leases leases = Leases.on(store).open()) {
 *   ...
 * }
 * }</pre>
 */
public final class MemoryStore implements Store {
  private final MemoryLeaseStore leases;
  private final MemoryObjectStore objects;
  private final MemoryAnchorStore anchors;

  /** A store with its own clock and limits. */
  public MemoryStore(InstantSource clock, Limits limits) {
    this.leases = new MemoryLeaseStore(clock, limits);
    this.objects = new MemoryObjectStore(leases);
    this.anchors = new MemoryAnchorStore(leases);
  }

  /** A store on the system's clock. */
  public static MemoryStore open() {
    return new MemoryStore(InstantSource.system(), Limits.SINGLE_NODE);
  }

  @Override
  public LeaseStore leases() {
    return leases;
  }

  /** Versioned objects; for {@code VersionedObjects.on}. */
  public ObjectStore objects() {
    return objects;
  }

  @Override
  public <P> Optional<P> part(Class<P> type) {
    return Stream.of(leases, objects, anchors).filter(type::isInstance).map(type::cast).findFirst();
  }

  @Override
  public void close() {
    leases.close();
  }
}
