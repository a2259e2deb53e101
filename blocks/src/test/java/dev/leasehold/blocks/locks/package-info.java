/** Tests of the locks, in time that they turn themselves. */
@NullMarked
package dev.leasehold.blocks.locks;

import org.jspecify.annotations.NullMarked;
