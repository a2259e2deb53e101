/**
 * The contract of stores whose rows are leased. A store passes it by subclassing {@link
 * dev.leasehold.testkit.rows.AnchorStoreContract} once.
 */
@NullMarked
package dev.leasehold.testkit.rows;

import org.jspecify.annotations.NullMarked;
