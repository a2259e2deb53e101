/** Commands under a lease, with real processes. */
@NullMarked
package dev.leasehold.cli.exec;

import org.jspecify.annotations.NullMarked;
