/** Tests of the locks, in time that the tests control. */
@NullMarked
package dev.leasehold.blocks.locks;

import org.jspecify.annotations.NullMarked;
