/** The contract of objects on the reference store, and on stores with something wrong. */
@NullMarked
package dev.leasehold.testkit.objects;

import org.jspecify.annotations.NullMarked;
