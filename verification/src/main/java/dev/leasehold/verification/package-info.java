/**
 * Evidence that needs more than one module: one package under the test sources for each kind of it.
 * Nothing here is published.
 */
@NullMarked
package dev.leasehold.verification;

import org.jspecify.annotations.NullMarked;
