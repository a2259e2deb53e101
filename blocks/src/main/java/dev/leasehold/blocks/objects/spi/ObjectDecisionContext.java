package dev.leasehold.blocks.objects.spi;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import java.util.Optional;

/**
 * The facts around an object that a decision depends on.
 *
 * @param bound the key that the object, or its whole type, is bound to
 * @param admission the answer to the command's claim; admitted if it brings none
 * @param nowMillis the store's clock, read after the object was locked
 */
public record ObjectDecisionContext(
    Optional<LeaseKey> bound, Admission admission, long nowMillis, int incarnation) {}
