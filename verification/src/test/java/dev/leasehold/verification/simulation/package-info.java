/**
 * Many seeds of the simulator, judged by every invariant; and the proof that it would see a defect:
 * mutated copies of the holder's side, each of which must be caught.
 */
@NullMarked
package dev.leasehold.verification.simulation;

import org.jspecify.annotations.NullMarked;
