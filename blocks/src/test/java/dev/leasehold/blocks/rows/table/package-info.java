/** The lease table: verb by verb, beside a naive one, and what it costs. */
@NullMarked
package dev.leasehold.blocks.rows.table;

import org.jspecify.annotations.NullMarked;
