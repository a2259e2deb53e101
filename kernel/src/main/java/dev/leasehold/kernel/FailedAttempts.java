package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseEvent.NotAcquired.Cause;

/** Tells observers why an attempt ended without the lease. */
final class FailedAttempts {
  private FailedAttempts() {}

  static LeaseEvent.NotAcquired event(LeaseKey key, Acquisition.NotAcquired result) {
    return switch (result) {
      case Acquisition.Held held -> event(key, Cause.HELD, "held by " + held.holder());
      case Acquisition.Closed closed -> event(key, Cause.CLOSED, closed.reason());
      case Acquisition.Changed changed ->
          event(key, Cause.CHANGED, "the latest grant is not the expected one");
      case Acquisition.Gone gone -> event(key, Cause.GONE, gone.reason().toString());
      case Acquisition.Failed failed -> event(key, Cause.FAILED, failed.why());
      case Acquisition.Unsealed unsealed ->
          event(key, Cause.UNSEALED, unsealed.target() + ": " + unsealed.why());
      case Acquisition.Unsafe unsafe -> event(key, Cause.UNSAFE, unsafe.why());
      case Acquisition.Cancelled cancelled -> event(key, Cause.CANCELLED, "the caller gave up");
    };
  }

  private static LeaseEvent.NotAcquired event(LeaseKey key, Cause cause, String why) {
    return new LeaseEvent.NotAcquired(key, cause, why);
  }
}
