package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.Payload;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.RequestId;
import java.util.Optional;

/**
 * A write. Whoever got no answer sends it again under the same request id, and is told what the
 * first one did.
 */
public sealed interface ObjectCommand {
  ObjectName name();

  Expectation expected();

  /** Under which lease it is made; checked with the change. */
  Optional<Claim> claim();

  RequestId requestId();

  /** Gives the object a payload, creating it where there is none. */
  record Put(
      ObjectName name,
      Payload payload,
      Expectation expected,
      Optional<Claim> claim,
      RequestId requestId)
      implements ObjectCommand {}

  record Delete(ObjectName name, Expectation expected, Optional<Claim> claim, RequestId requestId)
      implements ObjectCommand {
    public Delete {
      if (expected instanceof Expectation.Absence) {
        throw new IllFormedException("what is expected to be absent cannot be deleted");
      }
    }
  }
}
