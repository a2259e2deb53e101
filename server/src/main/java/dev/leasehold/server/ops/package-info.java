/** What operators of a server look at: health, metrics, logs as lines of JSON. */
@NullMarked
package dev.leasehold.server.ops;

import org.jspecify.annotations.NullMarked;
