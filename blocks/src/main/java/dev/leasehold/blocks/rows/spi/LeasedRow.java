package dev.leasehold.blocks.rows.spi;

/**
 * A leased row: who holds it, and the block's own columns.
 *
 * @param <S> the block's own columns
 */
public record LeasedRow<S>(RowState lease, S own) {}
