/** Commands on API keys. They need the database itself: a server hands out no keys. */
@NullMarked
package dev.leasehold.cli.key;

import org.jspecify.annotations.NullMarked;
