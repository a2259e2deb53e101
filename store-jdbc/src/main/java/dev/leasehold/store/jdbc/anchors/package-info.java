/** Anchors: under which session leased rows stand. */
@NullMarked
package dev.leasehold.store.jdbc.anchors;

import org.jspecify.annotations.NullMarked;
