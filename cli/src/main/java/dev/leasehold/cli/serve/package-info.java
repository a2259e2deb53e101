/** The command {@code leasehold serve}: a server made of settings, and the lines that it logs. */
@NullMarked
package dev.leasehold.cli.serve;

import org.jspecify.annotations.NullMarked;
