/** The commands, in-process. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
