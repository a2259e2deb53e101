package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import java.util.Optional;

/** The outcome of a command, and the change that belongs in the same transaction. */
public record ObjectDecision(ObjectOutcome outcome, Optional<Change> change) {
  /**
   * A change of the record.
   *
   * @param payload of the object; empty bytes in a tombstone
   * @param displaced the record that it replaces
   */
  public record Change(ObjectRecord record, Payload payload, Optional<ObjectRecord> displaced) {}

  static ObjectDecision unchanged(ObjectOutcome outcome) {
    return new ObjectDecision(outcome, Optional.empty());
  }
}
