/** Anchors in memory: the reference that stores are compared with. */
@NullMarked
package dev.leasehold.blocks.rows.memory;

import org.jspecify.annotations.NullMarked;
