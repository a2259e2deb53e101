package dev.leasehold.blocks.locks;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseCharter;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import java.time.Duration;

/**
 * Locks by name. Work that finds its lock held is skipped; whoever wants to wait says how long.
 *
 * <pre>{@code
 * Locks locks = Locks.on(leases);
 * locks.runIfFree("nightly-report", lease -> report(lease));
 * }</pre>
 *
 * <p>A lock is not reentrant, and knows no threads: whoever asks for one that this process holds is
 * told so like everybody else, and whoever has its {@link Lease} may give it back.
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

  /** What a lock is, as far as this block can know; targets are for the user to add. */
  public static LeaseCharter charter() {
    return LeaseCharter.of(
        KIND, LeaseCharter.Payload.EXCLUSION, "the work that the lock is named after");
  }

  /** What to ask for a lock, to be refined: for how long, and which targets to seal. */
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
   * Takes the lock, and waits for it up to this time. What returns is held: close it when the work
   * is done.
   *
   * @throws LockNotAcquiredException if the wait ended in vain, with what is known of why
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

  /** Runs work on this thread if the lock is free, else skips it. Tells the token it ran under. */
  public WorkResult<Token> runIfFree(String name, Task task) throws Exception {
    return run(named(name), Duration.ZERO, task);
  }

  /** Runs work on this thread once the lock is had; skips it when that takes longer than this. */
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

  /** As many places as there are permits, of which whoever asks gets one. */
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

    /** What permits run, too. */
    static WorkResult.Work<Token> tellingItsToken(Task task) {
      return task.tellingItsToken();
    }
  }
}
