/**
 * The interface of a store of versioned objects. Its author implements {@link
 * dev.leasehold.blocks.objects.spi.ObjectStore}, lets {@link
 * dev.leasehold.blocks.objects.spi.ObjectRules} decide each command with the object locked, and
 * subclasses the contract in the testkit once.
 */
@NullMarked
package dev.leasehold.blocks.objects.spi;

import org.jspecify.annotations.NullMarked;
