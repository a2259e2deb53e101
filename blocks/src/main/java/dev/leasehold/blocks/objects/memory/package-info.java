/** The reference store of versioned objects: the rules behind a lock, beside leases in memory. */
@NullMarked
package dev.leasehold.blocks.objects.memory;

import org.jspecify.annotations.NullMarked;
