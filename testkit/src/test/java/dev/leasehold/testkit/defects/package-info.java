/**
 * The test of the tests: stores with one defect each, which the contract suite must catch.
 *
 * <p>Start at {@link dev.leasehold.testkit.defects.Defects} for what is planted, and at {@link
 * dev.leasehold.testkit.defects.PlantedDefectsTest} for how it is hunted.
 */
@NullMarked
package dev.leasehold.testkit.defects;

import org.jspecify.annotations.NullMarked;
