/**
 * What stores decide about rows that are leased. {@link dev.leasehold.blocks.rows.spi.RowRules} and
 * {@link dev.leasehold.blocks.rows.spi.AnchorRules} are pure, and the only place where it is
 * decided who holds a row; a block adds what its own columns say.
 */
@NullMarked
package dev.leasehold.blocks.rows.spi;

import org.jspecify.annotations.NullMarked;
