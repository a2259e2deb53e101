/**
 * What {@code leasehold doctor} looks at. {@link dev.leasehold.server.doctor.DatabaseChecks} and
 * {@link dev.leasehold.server.doctor.StoreChecks} are pure: facts in, findings out, and each says
 * what to do. {@link dev.leasehold.server.doctor.Doctor} asks an open store for the facts.
 */
@NullMarked
package dev.leasehold.server.doctor;

import org.jspecify.annotations.NullMarked;
