/**
 * What the contract of every block is made of: a suite that opens stores, groups of cases with a
 * clock, requests that are repeated, races, and a differential that shrinks what it finds.
 *
 * <p>A new block's contract, say of tasks, takes six things:
 *
 * <ol>
 *   <li>What is tested: {@code record TasksUnderTest(StoreUnderTest leases, TaskStore tasks,
 *       TaskStore others) implements BlockUnderTest}, where {@code others} is a second handle, as
 *       another process has it.
 *   <li>A group with the block's words ({@code put(...)}, {@code taken(...)}), from which its cases
 *       extend: {@code abstract class TasksGroup extends FencedGroup<TasksUnderTest>}. It has a
 *       fresh store in {@code under} before each case, {@code pass(duration)}, {@code request()}
 *       and {@code answer(stage)}, and holders whose leases are {@code acquired}, {@code takenOver}
 *       and released.
 *   <li>For each verb a command that takes effect, for {@link
 *       dev.leasehold.testkit.suite.RepeatContract}: the same request again, by either handle, in
 *       one batch or at the same moment, is told the same and changes nothing.
 *   <li>A command of each verb under a claim, for {@link
 *       dev.leasehold.testkit.suite.FencingContract}: it takes effect only while the claim's grant
 *       is current.
 *   <li>A {@link dev.leasehold.testkit.suite.FencedStepGenerator} that draws steps from a seed, and
 *       the reference: the memory implementation, opened like the store under test.
 *   <li>The suite that authors of stores subclass, with a line for each group:
 * </ol>
 *
 * <pre>{@code
 * public abstract class TaskStoreContract extends ContractSuite<TasksUnderTest> {
 *   @Nested
 *   class Taking extends TakingContract {}
 *
 *   @Nested
 *   class Repeating extends TaskRepeatContract {}
 *
 *   @Nested
 *   class Differential extends TaskDifferentialContract {}
 * }
 *
 * abstract class TaskDifferentialContract extends DifferentialContract<TasksUnderTest> {
 *   @Override
 *   protected Comparison<?> comparison() {
 *     return new SideBySide<>(this::open, MemoryTasks::open, TaskStepGenerator::new);
 *   }
 * }
 * }</pre>
 *
 * <p>A store passes it by {@code class MyTasksTest extends TaskStoreContract} and its {@code open}.
 * A difference is printed as a script of a few steps with the seed that brings it back. A block
 * whose answers may differ from its reference's within limits, as leases' may, implements {@link
 * dev.leasehold.testkit.suite.Comparison} itself. Cases with the tag {@code concurrency} use {@link
 * dev.leasehold.testkit.suite.Rounds}. Then plant defects in the memory implementation, and see the
 * suite fail for each: {@code PlantedObjectDefectsTest} is the example.
 */
@NullMarked
package dev.leasehold.testkit.suite;

import org.jspecify.annotations.NullMarked;
