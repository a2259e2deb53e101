/**
 * What every block with rows of its own stands on, between its callers and a store. A block
 * describes its commands by a {@link dev.leasehold.kernel.spi.CommandKind} and adds the sentences
 * of its own verbs; {@link dev.leasehold.kernel.blocks.BlockCalls} gathers what its callers send,
 * puts their claims on it, waits, sends again and reports refusals.
 */
@NullMarked
package dev.leasehold.kernel.blocks;

import org.jspecify.annotations.NullMarked;
