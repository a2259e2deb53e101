/** The walls between modules and the limits on style, as tests that bite. */
@NullMarked
package dev.leasehold.verification.architecture;

import org.jspecify.annotations.NullMarked;
