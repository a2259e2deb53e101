package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.FencedCommand;
import java.util.Optional;

/**
 * A write. A caller that got no answer sends it again under the same request id, and gets the
 * answer to the first one.
 */
public sealed interface ObjectCommand extends FencedCommand {
  /** What batches need to know of writes. */
  CommandKind<ObjectName, ObjectCommand, ObjectOutcome> KIND = new ObjectCommandKind();

  ObjectName name();

  Expectation expected();

  @Override
  default String target() {
    return "object/" + name().type();
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
