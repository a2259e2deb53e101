/** Tests of sessions, in time that the tests control. */
@NullMarked
package dev.leasehold.blocks.sessions;

import org.jspecify.annotations.NullMarked;
