/**
 * Commands on a store as a whole: its schema ({@code migrate}), its incarnation, and its faults
 * ({@code doctor}).
 */
@NullMarked
package dev.leasehold.cli.store;

import org.jspecify.annotations.NullMarked;
