/** Objects without a store behind them. */
@NullMarked
package dev.leasehold.blocks.objects;

import org.jspecify.annotations.NullMarked;
