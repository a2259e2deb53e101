/** Commands on versioned objects, and on the bindings that fence them. */
@NullMarked
package dev.leasehold.cli.object;

import org.jspecify.annotations.NullMarked;
