/**
 * The eleven named ways to use a lease, each with the failures that it is known for: a test is
 * named after the failure, and shows what stops it. All of it is in memory, in time that the test
 * turns; the engines and processes that the same holds for are tested elsewhere.
 */
@NullMarked
package dev.leasehold.verification.configurations;

import org.jspecify.annotations.NullMarked;
