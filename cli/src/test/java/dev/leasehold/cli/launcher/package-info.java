/** The launcher and the executable jar, tested as processes once they are packaged. */
@NullMarked
package dev.leasehold.cli.launcher;

import org.jspecify.annotations.NullMarked;
