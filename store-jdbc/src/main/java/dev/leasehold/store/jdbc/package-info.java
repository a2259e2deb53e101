/**
 * Leases on the database that is there already: SQLite in-process, PostgreSQL, CockroachDB. Start
 * at {@link dev.leasehold.store.jdbc.JdbcLeaseStore}.
 *
 * <p>The database is the coordinator: its clock and its transactions decide. Whatever is unusual is
 * decided by the rules of the kernel, over rows that are locked ({@code Ruling}); what is usual
 * (renew, release, take what is free) PostgreSQL and CockroachDB also decide in one statement for a
 * whole batch ({@code ArrayStatements}), tested command by command against the rules. On SQLite the
 * rules alone decide, a batch in one transaction.
 *
 * <p>Nothing else is in the way of a command: other processes hear of changes by {@code Hints},
 * after the commit; {@code Tidier} removes in the background what nobody will ask for again, in one
 * process at a time. {@code Sentry} remembers what was seen of the store, and stops it where that
 * is no longer there; {@code Caretaker} lets it look.
 *
 * <p>What else is in the database can be fenced there: {@link dev.leasehold.store.jdbc.AtEffect}
 * makes a change in one transaction with the check of its grant, {@link
 * dev.leasehold.store.jdbc.Guards} lets tables refuse every other change.
 *
 * <p>Statements are {@code .sql} resources, schema changes numbered migrations. A dialect is one
 * class and its files.
 */
@NullMarked
package dev.leasehold.store.jdbc;

import org.jspecify.annotations.NullMarked;
