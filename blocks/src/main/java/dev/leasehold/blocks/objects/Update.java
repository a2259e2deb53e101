package dev.leasehold.blocks.objects;

import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.kernel.model.Version;
import java.util.Optional;

/** The result of a read-modify-write. */
public sealed interface Update {
  /** The new payload is stored. The one that it was made from was current until then. */
  record Made(Version version, Payload payload) implements Update {}

  /** Other writers came first at each attempt. Nothing was changed. */
  record Exhausted(int attempts, Optional<Version> current) implements Update {}

  /** The write was refused or bound, as the next one would be. Nothing was changed. */
  record NotAllowed(ObjectOutcome.OfPut why) implements Update {}

  /** Makes the new payload from the current one. It may be called several times. */
  @FunctionalInterface
  interface Edit {
    Payload make(Optional<VersionedObject> current);
  }
}
