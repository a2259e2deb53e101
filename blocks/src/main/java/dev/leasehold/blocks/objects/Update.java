package dev.leasehold.blocks.objects;

import java.util.Optional;

/** What a read-modify-write has come to. */
public sealed interface Update {
  /** The new payload is there, and what it was made from was current until then. */
  record Made(Version version, Payload payload) implements Update {}

  /** Others were faster each time. Nothing was changed. */
  record Exhausted(int attempts, Optional<Version> current) implements Update {}

  /** The write was refused or bound, and so would be the next. Nothing was changed. */
  record NotAllowed(ObjectOutcome.OfPut why) implements Update {}

  /** Makes the new payload from what is there. It may be called several times. */
  @FunctionalInterface
  interface Edit {
    Payload make(Optional<VersionedObject> current);
  }
}
