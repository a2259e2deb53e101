/** Marks on real engines: SQLite, and PostgreSQL at two levels of isolation. */
@NullMarked
package dev.leasehold.fence.jdbc;

import org.jspecify.annotations.NullMarked;
