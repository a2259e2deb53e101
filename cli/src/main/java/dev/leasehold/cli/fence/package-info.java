/** Commands on the checks of tokens: fences on database tables, and the audit of all charters. */
@NullMarked
package dev.leasehold.cli.fence;

import org.jspecify.annotations.NullMarked;
