package dev.leasehold.blocks.objects.spi;

import dev.leasehold.kernel.model.Version;
import java.util.Optional;

/**
 * The facts about an object that a decision depends on.
 *
 * @param floor if there is no record, its first version must be above this
 * @param recalled the remembered write of the command's request id, apart from the last one
 */
public record ObjectState(
    Version floor, Optional<ObjectRecord> record, Optional<RememberedWrite> recalled) {
  /** What an earlier copy of the command has written. */
  public Optional<RememberedWrite> writtenBy(ObjectCommand command) {
    return record
        .map(ObjectRecord::last)
        .filter(write -> write.answers(command))
        .or(() -> recalled.filter(write -> write.answers(command)));
  }
}
