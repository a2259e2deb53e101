package dev.leasehold.blocks.objects;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/** The result of a read. */
sealed interface ReadOutcome {
  /** Reads change nothing, so none waits for another one of the same object. */
  CommandKind<ObjectName, ObjectName, ReadOutcome> KIND =
      new CommandKind<>() {
        @Override
        public Optional<ObjectName> place(ObjectName name) {
          return Optional.empty();
        }

        @Override
        public long bytes(ObjectName name) {
          return 0;
        }

        @Override
        public ReadOutcome failed(Certainty certainty, String detail) {
          return new Failed(certainty, detail);
        }

        @Override
        public boolean isFinal(ObjectName name, ReadOutcome outcome) {
          return outcome instanceof Found;
        }
      };

  /** The object, if there is one. */
  record Found(Optional<VersionedObject> object) implements ReadOutcome {}

  /** The store did not answer. */
  record Failed(Certainty certainty, String detail) implements ReadOutcome {}

  default Optional<VersionedObject> orThrow() {
    return switch (this) {
      case Found(Optional<VersionedObject> object) -> object;
      case Failed(Certainty certainty, String detail) ->
          throw new ObjectsUnavailableException(certainty, detail);
    };
  }
}
