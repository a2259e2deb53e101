package dev.leasehold.blocks.objects.model;

import dev.leasehold.kernel.model.Version;

/**
 * An object as it was read. The times are the store's own, in milliseconds since 1970.
 *
 * @param createdAtMillis the first write since the object last did not exist
 * @param updatedAtMillis the last write
 */
public record VersionedObject(
    ObjectName name,
    Version version,
    Payload payload,
    long createdAtMillis,
    long updatedAtMillis) {}
