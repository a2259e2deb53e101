package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;

/** A handle that may not be used any more was used. Says why. */
public final class LeaseLostException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final transient LossReason reason;

  LeaseLostException(LeaseKey key, Token token, LossReason reason) {
    super("the lease on " + key + " under token " + token + " is over: " + reason);
    this.reason = reason;
  }

  public LossReason reason() {
    return reason;
  }
}
