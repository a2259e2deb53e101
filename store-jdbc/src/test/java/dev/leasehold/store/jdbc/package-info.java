/** The stores, on real databases. */
@NullMarked
package dev.leasehold.store.jdbc;

import org.jspecify.annotations.NullMarked;
