package dev.leasehold.blocks.objects;

/**
 * An object as it was read. The times are the store's own, in milliseconds since 1970.
 *
 * @param createdAtMillis of the first write since it last did not exist
 * @param updatedAtMillis of the last write
 */
public record VersionedObject(
    ObjectName name,
    Version version,
    Payload payload,
    long createdAtMillis,
    long updatedAtMillis) {}
