/**
 * The contract of a store of versioned objects. An author of one subclasses {@link
 * dev.leasehold.testkit.objects.ObjectStoreContract} once.
 */
@NullMarked
package dev.leasehold.testkit.objects;

import org.jspecify.annotations.NullMarked;
