/**
 * Locks that are leases: each has a token, runs out by itself, and is told of its loss. They belong
 * to no thread and are not reentrant. Work that finds its lock held is skipped unless it says how
 * long it would wait.
 */
@NullMarked
package dev.leasehold.blocks.locks;

import org.jspecify.annotations.NullMarked;
