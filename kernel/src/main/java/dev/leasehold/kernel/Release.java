package dev.leasehold.kernel;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;

/** The result of giving a lease up. */
public sealed interface Release {
  /** The key is free. */
  record Released() implements Release {}

  /**
   * The lease is over, but the key is kept from others for the remaining time, because it was
   * requested for {@linkplain LeaseRequest#atLeastFor at least} that long.
   */
  record Kept(Duration remaining) implements Release {}

  /** The heir holds the key, under this token. */
  record HandedOver(Token token) implements Release {}

  /** The lease was over before, for this reason. */
  record AlreadyOver(LossReason reason) implements Release {}

  /** The heir cannot have it now; the key is given back instead. */
  record HeirRefused(String why) implements Release {}

  /**
   * Work bound to the lease has not ended, although it was interrupted, so the lease was not handed
   * over with a gap. The lease is over all the same, and no longer renewed; the key is free when
   * the caller closes the handle or the grant runs out.
   */
  record StillRunning() implements Release {}

  /** The store did not answer. The key is free when the grant runs out, at the latest. */
  record Unknown(String why) implements Release {}
}
