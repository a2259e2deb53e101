/** {@code leasehold session}, as users call it. */
@NullMarked
package dev.leasehold.cli.session;

import org.jspecify.annotations.NullMarked;
