package dev.leasehold.blocks.locks;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.WorkResult;
import java.util.Optional;

/**
 * Lets code that was not passed a lease check that it runs under a lock: that this thread runs
 * within {@code Locks.run} or {@code Permits.run} of this name, and that the lock may still be
 * trusted.
 *
 * <p>Pass the lease where you can: {@link Lease#ensureHeld()} checks the same on any thread. Other
 * threads that the work uses are refused here.
 */
public final class LockAssert {
  /** The innermost work of this thread, for the check only: a lock belongs to no thread. */
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
   * Throws unless this thread runs work under the lock of this name, and the lock is held.
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

  /** The same work, registered for its thread while it runs. */
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
