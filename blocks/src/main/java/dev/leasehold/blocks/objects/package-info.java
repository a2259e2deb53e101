/**
 * Versioned objects: bytes by type and id, with a version that only grows, even across deletions. A
 * write states what it expects to find, and may bring a lease's token, which is checked together
 * with the change.
 *
 * <p>Users call {@link dev.leasehold.blocks.objects.VersionedObjects}. It gathers the commands of
 * its callers into batches for an {@link dev.leasehold.blocks.objects.spi.ObjectStore}. {@link
 * dev.leasehold.blocks.objects.spi.ObjectRules} alone decides each write, with the object locked.
 * The terms:
 *
 * <ul>
 *   <li><b>version</b>: the store's incarnation in front, then a counter of the object. A deletion
 *       has a version too, kept by a tombstone. A purge of the tombstone first raises the floor of
 *       its bucket, so that an object created there later gets a higher version
 *   <li><b>request id</b>: every write has one, and the store remembers it for ten minutes. A
 *       caller that got no answer sends the same write again, and gets the answer to the first one
 *   <li><b>fence</b>: a write may bring a claim, a lease's key and token. It takes effect only if
 *       that grant is current when the write is committed
 *   <li><b>binding</b>: a type, or one object, can be bound to a key. Then writes that do not bring
 *       that key's current token are refused, from every sender
 * </ul>
 */
@NullMarked
package dev.leasehold.blocks.objects;

import org.jspecify.annotations.NullMarked;
