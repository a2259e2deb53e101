/** Test classes in a process of their own, beside those of the build's process. */
@NullMarked
package dev.leasehold.verification.processes;

import org.jspecify.annotations.NullMarked;
