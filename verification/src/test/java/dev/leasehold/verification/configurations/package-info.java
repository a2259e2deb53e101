/**
 * The eleven named ways to use a lease, each with the failures that it is known for: a test is
 * named after the failure, and shows what stops it. Everything is in memory, in time that the test
 * controls; the same is tested with real engines and processes elsewhere.
 */
@NullMarked
package dev.leasehold.verification.configurations;

import org.jspecify.annotations.NullMarked;
