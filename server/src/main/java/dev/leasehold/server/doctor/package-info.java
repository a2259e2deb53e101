/**
 * The checks of {@code leasehold doctor}. {@link dev.leasehold.server.doctor.DatabaseChecks} and
 * {@link dev.leasehold.server.doctor.StoreChecks} are pure: they turn facts into findings, and each
 * finding says what to do. {@link dev.leasehold.server.doctor.Doctor} reads the facts from an open
 * store.
 */
@NullMarked
package dev.leasehold.server.doctor;

import org.jspecify.annotations.NullMarked;
