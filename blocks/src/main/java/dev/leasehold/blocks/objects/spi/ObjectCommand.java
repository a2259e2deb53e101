package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Payload;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LeaseEvent;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.CommandKind;
import java.util.Optional;

/**
 * A write. A caller that got no answer sends it again under the same request id, and gets the
 * answer to the first one.
 */
public sealed interface ObjectCommand {
  /** What batches need to know of writes. */
  CommandKind<ObjectName, ObjectCommand, ObjectOutcome> KIND = new ObjectCommandKind();

  ObjectName name();

  Expectation expected();

  /** The lease that the write is made under; checked together with the change. */
  Optional<Claim> claim();

  RequestId requestId();

  /** What observers are told if it was refused for its token, or for bringing none. */
  default Optional<LeaseEvent.Refused> refusal(ObjectOutcome outcome) {
    Optional<LeaseKey> key =
        switch (outcome) {
          case ObjectOutcome.Refused refused -> claim().map(Claim::key);
          case ObjectOutcome.Bound bound -> Optional.of(bound.key());
          default -> Optional.empty();
        };
    String target = "object/" + name().type();
    return key.map(of -> new LeaseEvent.Refused(of, claim().map(Claim::token), target));
  }

  /** Writes the payload of an object, and creates the object if there is none. */
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
