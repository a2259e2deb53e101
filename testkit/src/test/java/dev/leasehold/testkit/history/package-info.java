/** Tests of the checks: planted violations are found, and legal histories raise no alarm. */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
