/** Generations of a file: every order of steps that two pauses can bring about, and the disk. */
@NullMarked
package dev.leasehold.fence.files;

import org.jspecify.annotations.NullMarked;
