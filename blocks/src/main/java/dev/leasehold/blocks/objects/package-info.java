/**
 * Versioned objects: bytes by type and id, with a version that only grows, deletion included.
 * Writes say what they expect to find, and may bring a lease's token that is checked with the
 * change.
 *
 * <p>{@link dev.leasehold.blocks.objects.VersionedObjects} is what users call. It gathers what is
 * in flight into batches for an {@link dev.leasehold.blocks.objects.spi.ObjectStore}; what becomes
 * of each write is decided in one place, {@link dev.leasehold.blocks.objects.spi.ObjectRules}, with
 * the object locked. The words:
 *
 * <ul>
 *   <li><b>version</b>: the store's incarnation in front, then a counter of the object's own. A
 *       deletion has one too, and leaves a tombstone that keeps it; when a tombstone is purged, the
 *       floor of its bucket is raised first, and whatever is created there comes above it
 *   <li><b>request id</b>: every write has one, and the store remembers it for ten minutes. Whoever
 *       got no answer sends the same again, and is told what the first one did
 *   <li><b>fence</b>: a write may bring a claim, a lease's key and token. It takes effect only if
 *       that grant is current when the write is committed
 *   <li><b>binding</b>: a type, or one object, can be bound to a key. Then writes that do not bring
 *       that key's current token are refused, whoever sends them
 * </ul>
 */
@NullMarked
package dev.leasehold.blocks.objects;

import org.jspecify.annotations.NullMarked;
