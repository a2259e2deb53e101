/** Commands on leases, such as {@code leasehold lease acquire}, one operation each. */
@NullMarked
package dev.leasehold.cli.lease;

import org.jspecify.annotations.NullMarked;
