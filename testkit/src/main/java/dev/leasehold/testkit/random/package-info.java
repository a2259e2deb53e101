/** Randomness that can be had again: every random test starts from one printed seed. */
@NullMarked
package dev.leasehold.testkit.random;

import org.jspecify.annotations.NullMarked;
