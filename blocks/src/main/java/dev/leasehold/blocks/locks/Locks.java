package dev.leasehold.blocks.locks;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.LeaseCharter;
import java.time.Duration;

/**
 * Locks by name. Work whose lock is held is skipped, unless the caller says how long to wait.
 *
 * <pre>{@code
 * Locks locks = Locks.on(leases);
 * locks.runIfFree("nightly-report", lease -> report(lease));
 * }</pre>
 *
 * <p>A lock is not reentrant and belongs to no thread: a caller in the same process is refused like
 * any other while it is held, and any code that has the {@link Lease} may release it.
 */
public final class Locks {
  public static final String KIND = "lock";

  private final Leases leases;

  private Locks(Leases leases) {
    this.leases = leases;
  }

  /** Locks that this process takes, under {@link #charter()} unless the user wrote another. */
  public static Locks on(Leases leases) {
    LeaseCharter unused = leases.attach(charter());
    return new Locks(leases);
  }

  /** The default charter of locks; the user adds targets. */
  public static LeaseCharter charter() {
    return LeaseCharter.of(
        KIND, LeaseCharter.Payload.EXCLUSION, "the work that the lock is named after");
  }

  /** The request for a lock, to be refined: for how long, and which targets to seal. */
  public static LeaseRequest named(String name) {
    return LeaseRequest.of(LeaseKey.of(KIND, name));
  }

  /** Takes the lock if it is free. */
  public Acquisition tryLock(String name) throws InterruptedException {
    return tryLock(named(name));
  }

  /** The same, refined from {@link #named}. */
  public Acquisition tryLock(LeaseRequest request) throws InterruptedException {
    return leases.tryAcquire(requireLock(request));
  }

  /**
   * Takes the lock, and waits for it up to this time. The caller closes the lease when its work is
   * done.
   *
   * @throws LockNotAcquiredException if the lock was not acquired in time, with the reason
   */
  public Lease lock(String name, Duration wait) throws InterruptedException {
    return lock(named(name), wait);
  }

  /** The same, refined from {@link #named}. */
  public Lease lock(LeaseRequest request, Duration wait) throws InterruptedException {
    return switch (leases.acquire(requireLock(request), wait)) {
      case Acquisition.Acquired(Lease lease) -> lease;
      case Acquisition.NotAcquired why -> throw new LockNotAcquiredException(request.key(), why);
    };
  }

  /** Runs work on this thread if the lock is free, else skips it. Returns the lock's token. */
  public WorkResult<Token> runIfFree(String name, Task task) throws Exception {
    return run(named(name), Duration.ZERO, task);
  }

  /** Runs work on this thread under the lock; skips it if the wait takes longer than this. */
  public WorkResult<Token> run(LeaseRequest request, Duration wait, Task task) throws Exception {
    return call(request, wait, task.tellingItsToken());
  }

  /** The same for work that has a result. */
  public <T> WorkResult<T> callIfFree(String name, WorkResult.Work<T> work) throws Exception {
    return call(named(name), Duration.ZERO, work);
  }

  /** The same for work that has a result. */
  public <T> WorkResult<T> call(LeaseRequest request, Duration wait, WorkResult.Work<T> work)
      throws Exception {
    return leases.whileHeld(requireLock(request), wait, LockAssert.around(work));
  }

  /** A number of permits under one name; a caller gets any one of them. */
  public Permits permits(String name, int count) {
    return Permits.of(leases, name, count);
  }

  private static LeaseRequest requireLock(LeaseRequest request) {
    if (!request.key().kind().equals(KIND)) {
      throw new IllFormedException(
          request.key() + " is no lock: ask for Locks.named(\"...\"), which is lock/...");
    }
    return request;
  }

  /** Work without a result. */
  @FunctionalInterface
  public interface Task {
    void run(Lease lease) throws Exception;

    private WorkResult.Work<Token> tellingItsToken() {
      return lease -> {
        run(lease);
        return lease.token();
      };
    }

    /** The same for permits. */
    static WorkResult.Work<Token> tellingItsToken(Task task) {
      return task.tellingItsToken();
    }
  }
}
