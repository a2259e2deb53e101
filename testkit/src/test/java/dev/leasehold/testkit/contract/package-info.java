/** Tests of the contract suites: a right store passes, and each broken one fails. */
@NullMarked
package dev.leasehold.testkit.contract;

import org.jspecify.annotations.NullMarked;
