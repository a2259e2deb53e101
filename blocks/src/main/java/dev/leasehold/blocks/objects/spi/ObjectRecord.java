package dev.leasehold.blocks.objects.spi;

import dev.leasehold.kernel.model.Version;
import java.util.Optional;

/**
 * A store's record of one object, without its payload. It outlives the object: after a deletion it
 * is a tombstone.
 *
 * @param last the last write
 * @param createdAtMillis the creation of the object, or of the deleted one
 * @param updatedAtMillis the last write; for this object, time never goes behind it
 */
public record ObjectRecord(RememberedWrite last, long createdAtMillis, long updatedAtMillis) {
  public Version version() {
    return last.version();
  }

  public boolean isTombstone() {
    return last.kind() == RememberedWrite.Kind.DELETED;
  }

  /** The version of the object, if there is one. */
  Optional<Version> current() {
    return isTombstone() ? Optional.empty() : Optional.of(version());
  }
}
