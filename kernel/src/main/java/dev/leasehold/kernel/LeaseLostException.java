package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;

/** A lease that is over, or may not be trusted any more, was used. Its message says why. */
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
