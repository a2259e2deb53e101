/** {@code leasehold session}: which processes are taken for alive. */
@NullMarked
package dev.leasehold.cli.session;

import org.jspecify.annotations.NullMarked;
