package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.Version;
import java.util.Optional;

/**
 * All that a decision needs to know of an object.
 *
 * @param floor what its first version must be above, where there is no record
 * @param recalled the remembered write of the command's request id, apart from the last one
 */
public record ObjectState(Version floor, Optional<ObjectRecord> record, Optional<Deed> recalled) {}
