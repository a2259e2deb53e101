package dev.leasehold.kernel;

import dev.leasehold.fence.Token;
import java.time.Duration;

/** What giving a lease up came to. */
public sealed interface Release {
  /** The key is free. */
  record Released() implements Release {}

  /**
   * It is over, but the key is kept from others for so long, since it was asked for {@linkplain
   * LeaseRequest#atLeastFor at least} that.
   */
  record Kept(Duration remaining) implements Release {}

  /** The heir has it, under this token. */
  record HandedOver(Token token) implements Release {}

  /** It was over before, for this reason. */
  record AlreadyOver(LossReason reason) implements Release {}

  /** The heir cannot have it now; the key is given back instead. */
  record HeirRefused(String why) implements Release {}

  /**
   * Work bound to the lease has not ended, although it was interrupted: an heir that is to find
   * everything at rest cannot have it. The lease is over all the same, and no longer renewed; the
   * key is free when the handle is closed or the grant runs out.
   */
  record StillRunning() implements Release {}

  /** The store did not say: the key is free when the grant runs out, at the latest. */
  record Unknown(String why) implements Release {}
}
