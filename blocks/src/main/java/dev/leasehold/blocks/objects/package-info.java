/**
 * Versioned objects: bytes by type and id, with a version that only grows, deletion included.
 * Writes say what they expect to find, and may bring a lease's token that is checked with the
 * change.
 */
@NullMarked
package dev.leasehold.blocks.objects;

import org.jspecify.annotations.NullMarked;
