/** A store in memory with the rows of every block. The blocks are the packages below. */
@NullMarked
package dev.leasehold.blocks;

import org.jspecify.annotations.NullMarked;
