package dev.leasehold.blocks.locks;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.WorkResult;
import java.util.Optional;

/**
 * For code deep below, that must not run without its lock and was not handed the lease: it asks
 * whether it runs within {@code Locks.run} or {@code Permits.run} of this name, on this thread, and
 * whether the lock may still be trusted.
 *
 * <p>Hand the lease down where you can: {@link Lease#ensureHeld()} says the same and needs no
 * thread. What work gives to other threads is not seen here, and is refused.
 */
public final class LockAssert {
  /** The innermost work of this thread. A lock is the lease's, not the thread's: this only asks. */
  private static final ThreadLocal<Optional<Running>> RUNNING =
      ThreadLocal.withInitial(Optional::empty);

  private LockAssert() {}

  /** Work on this thread, and the work that it runs within. */
  private record Running(Lease lease, Optional<Running> around) {
    Optional<Lease> under(String kind, String name) {
      return isUnder(kind, name)
          ? Optional.of(lease)
          : around.flatMap(outer -> outer.under(kind, name));
    }

    private boolean isUnder(String kind, String name) {
      LeaseKey key = lease.key();
      return key.kind().equals(kind)
          && (kind.equals(Permits.KIND) ? Permits.isSlotOf(name, key) : key.name().equals(name));
    }
  }

  /**
   * Refuses to go on unless this thread runs work under the lock of this name, and it is held.
   *
   * @throws NotLockedException if it does not
   * @throws dev.leasehold.kernel.LeaseLostException if it did, and the lock is lost
   */
  public static Lease ensureHeld(String name) {
    return ensureUnder(Locks.KIND, name);
  }

  /** The same for one of the permits of this name. */
  public static Lease ensurePermit(String name) {
    return ensureUnder(Permits.KIND, name);
  }

  private static Lease ensureUnder(String kind, String name) {
    Lease lease =
        RUNNING
            .get()
            .flatMap(running -> running.under(kind, name))
            .orElseThrow(() -> new NotLockedException(kind, name));
    lease.ensureHeld();
    return lease;
  }

  /** The same work, known to this thread while it runs. */
  static <T> WorkResult.Work<T> around(WorkResult.Work<T> work) {
    return lease -> {
      Optional<Running> outer = RUNNING.get();
      RUNNING.set(Optional.of(new Running(lease, outer)));
      try {
        return work.run(lease);
      } finally {
        if (outer.isPresent()) {
          RUNNING.set(outer);
        } else {
          RUNNING.remove();
        }
      }
    };
  }
}
