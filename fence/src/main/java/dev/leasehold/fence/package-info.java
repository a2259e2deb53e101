/** What a downstream service needs to refuse a holder whose lease is over. */
@NullMarked
package dev.leasehold.fence;

import org.jspecify.annotations.NullMarked;
