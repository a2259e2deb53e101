/** In which order the classes of a build's tests begin. */
@NullMarked
package dev.leasehold.testkit.order;

import org.jspecify.annotations.NullMarked;
