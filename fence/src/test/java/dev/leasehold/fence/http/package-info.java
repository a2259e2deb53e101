/** Tokens over the wire, between the JDK's own client and server. */
@NullMarked
package dev.leasehold.fence.http;

import org.jspecify.annotations.NullMarked;
