package dev.leasehold.blocks.objects.spi;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import java.util.Optional;

/**
 * What is true around an object while a command is decided.
 *
 * @param bound to which key the object is bound, by itself or with its type
 * @param admission what is said to the command's claim; admitted where it brings none
 * @param nowMillis the store's clock, read after the object was locked
 */
public record ObjectScene(
    Optional<LeaseKey> bound, Admission admission, long nowMillis, int incarnation) {}
