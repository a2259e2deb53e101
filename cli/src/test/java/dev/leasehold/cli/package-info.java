/** Runs commands in the process of the test. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
