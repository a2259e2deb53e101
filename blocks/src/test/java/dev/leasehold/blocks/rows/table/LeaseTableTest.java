package dev.leasehold.blocks.rows.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.blocks.rows.table.HeartbeatResult.Extended;
import dev.leasehold.blocks.rows.table.HeartbeatResult.Reaping;
import dev.leasehold.blocks.rows.table.HeartbeatResult.Superseded;
import dev.leasehold.blocks.rows.table.HeartbeatResult.Unknown;
import dev.leasehold.blocks.rows.table.ReapOutcome.Freed;
import dev.leasehold.blocks.rows.table.ReapOutcome.StillHeld;
import dev.leasehold.fence.IllFormedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each verb on each state of an entry. A list that runs in a circle fails by the timeout. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseTableTest {
  private static final long DAY = 86_400_000;
  private static final String TASK = "task-1";
  private static final long ANNA = 1;
  private static final long BEN = 2;
  private static final long LENGTH = 30_000;

  private static final long START = 64_000_000;

  /** A multiple of 64 ms, so that an entry is found exactly then. */
  private static final long DEADLINE = START + 29_952;

  private final LeaseTable<String> table = new LeaseTable<>(String::hashCode, DAY, START);

  @Test
  void aHeartbeatExtendsByTheLengthFromTheTimeGiven() {
    table.enter(entry(7));

    assertThat(table.heartbeat(TASK, 7, ANNA, START + 10_000)).isEqualTo(new Extended(LENGTH));

    assertThat(deadline()).isEqualTo(START + 10_000 + LENGTH);
    assertThat(table.expired(START + 10_000 + LENGTH - 1, 9)).isEmpty();
    assertThat(table.expired(START + 10_000 + LENGTH + 64, 9)).hasSize(1);
  }

  @Test
  void aHeartbeatOfARowThatIsNotHereIsUnknown() {
    assertThat(table.heartbeat(TASK, 7, ANNA, START)).isEqualTo(new Unknown());
  }

  @Test
  void anOlderTokenOrAnotherWorkerIsSuperseded() {
    table.enter(entry(7));

    assertThat(table.heartbeat(TASK, 6, ANNA, START)).isEqualTo(new Superseded());
    assertThat(table.heartbeat(TASK, 7, BEN, START)).isEqualTo(new Superseded());
    assertThat(deadline()).isEqualTo(DEADLINE);
  }

  /** The row was taken through another server, and this one has not read the notice yet. */
  @Test
  void aNewerTokenThanTheTablesIsUnknownAndNotRefused() {
    table.enter(entry(7));

    assertThat(table.heartbeat(TASK, 8, BEN, START)).isEqualTo(new Unknown());
    assertThat(table.lengthen(TASK, 8, LENGTH, START)).isEqualTo(new Unknown());
  }

  @Test
  void aWorkerThatIsLateButNotFoundYetKeepsItsRow() {
    table.enter(entry(7));

    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE + 5_000)).isEqualTo(new Extended(LENGTH));
    assertThat(table.expired(DEADLINE + 5_000, 9)).isEmpty();
  }

  /** The server that the row was moved from may have answered the worker later than the move. */
  @Test
  void aHeartbeatBringsNoDeadlineForwardAndPromisesNoMoreThanTheLength() {
    table.enter(new TableEntry<>(TASK, 7, ANNA, LENGTH, START + LENGTH + 2_000));

    assertThat(table.heartbeat(TASK, 7, ANNA, START + 1_000)).isEqualTo(new Extended(LENGTH));

    assertThat(deadline()).isEqualTo(START + LENGTH + 2_000);
  }

  @Test
  void aLongerLengthHoldsFromThenOnAndAShorterOneChangesNothing() {
    table.enter(entry(7));

    assertThat(table.lengthen(TASK, 7, 60_000, START)).isEqualTo(new Extended(60_000));
    assertThat(table.lengthen(TASK, 7, 10_000, START)).isEqualTo(new Extended(60_000));
    assertThat(table.heartbeat(TASK, 7, ANNA, START)).isEqualTo(new Extended(60_000));
    assertThat(deadline()).isEqualTo(START + 60_000);
  }

  @Test
  void onlyAHoldThatIsHereIsLengthened() {
    assertThat(table.lengthen(TASK, 7, LENGTH, START)).isEqualTo(new Unknown());
    table.enter(entry(7));
    assertThat(table.lengthen(TASK, 6, LENGTH, START)).isEqualTo(new Superseded());
    table.expired(DEADLINE, 9);
    assertThat(table.lengthen(TASK, 7, LENGTH, START)).isEqualTo(new Reaping());
  }

  @Test
  void aNewerTokenReplacesAnOlderOneWithAllItsFields() {
    table.enter(entry(7));
    TableEntry<String> later = new TableEntry<>(TASK, 8, BEN, 10_000, START + 10_000);

    assertThat(table.enter(later)).isEqualTo(EnterResult.ENTERED);
    assertThat(table.enter(entry(7))).isEqualTo(EnterResult.OUTDATED);

    assertThat(table.entry(TASK)).contains(later);
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.expired(START + 10_048, 9)).containsExactly(later);
  }

  @Test
  void anEntryThatIsToldTwiceKeepsTheLongerLengthAndTheLaterDeadline() {
    table.enter(entry(7));

    assertThat(table.enter(new TableEntry<>(TASK, 7, ANNA, 60_000, START + 10)))
        .isEqualTo(EnterResult.KNOWN);
    assertThat(table.enter(new TableEntry<>(TASK, 7, ANNA, 10_000, START + 40_000)))
        .isEqualTo(EnterResult.KNOWN);

    assertThat(table.entry(TASK)).contains(new TableEntry<>(TASK, 7, ANNA, 60_000, START + 40_000));
  }

  @Test
  void twoWorkersUnderOneTokenAreABrokenStore() {
    table.enter(entry(7));

    assertThatIllegalStateException()
        .isThrownBy(() -> table.enter(new TableEntry<>(TASK, 7, BEN, LENGTH, DEADLINE)))
        .withMessage("two workers, 1 and 2, have the token 7 of task-1");
  }

  @Test
  void removingEndsThatHoldAndThoseBeforeIt() {
    assertThat(table.remove(TASK, 7)).isEqualTo(RemoveResult.UNKNOWN);
    table.enter(entry(7));
    assertThat(table.remove(TASK, 6)).isEqualTo(RemoveResult.OUTDATED);
    assertThat(table.remove(TASK, 7)).isEqualTo(RemoveResult.REMOVED);
    table.enter(entry(7));
    assertThat(table.remove(TASK, 8)).isEqualTo(RemoveResult.REMOVED);

    assertThat(table.size()).isZero();
    assertThat(table.expired(DEADLINE + DAY, 9)).isEmpty();
  }

  @Test
  void anExpiredEntryIsFoundOnceAndItsWorkerWaits() {
    table.enter(entry(7));

    assertThat(table.expired(DEADLINE, 9)).containsExactly(entry(7));
    assertThat(table.expired(DEADLINE + DAY, 9)).isEmpty();

    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE)).isEqualTo(new Reaping());
    assertThat(table.heartbeat(TASK, 7, BEN, DEADLINE)).isEqualTo(new Superseded());
    assertThat(table.enter(entry(7))).isEqualTo(EnterResult.REAPING);
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.reaping()).isEqualTo(1);
  }

  @Test
  void anEntryIsFoundAtTheFirstMultipleOf64MillisFromItsDeadlineOn() {
    enterUntil("exactly", START + 640);
    enterUntil("soon-after", START + 641);
    enterUntil("late", START + 704);

    assertThat(table.expired(START + 639, 9)).isEmpty();
    assertThat(places(table.expired(START + 640, 9))).containsExactly("exactly");
    assertThat(table.expired(START + 703, 9)).isEmpty();
    assertThat(places(table.expired(START + 704, 9)))
        .containsExactlyInAnyOrder("late", "soon-after");
  }

  @Test
  void aSearchReturnsAtMostAsManyAsItsCallerTakesTheEarliestFirst() {
    enterUntil("third", START + 3_000);
    enterUntil("first", START + 1_000);
    enterUntil("second", START + 2_000);

    assertThat(places(table.expired(START + DAY, 2))).containsExactly("first", "second");
    assertThat(places(table.expired(START + DAY, 2))).containsExactly("third");
  }

  @Test
  void aFreedRowIsGone() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);

    table.settle(TASK, 7, new Freed());

    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE)).isEqualTo(new Unknown());
    assertThat(table.size()).isZero();
    assertThat(table.reaping()).isZero();
  }

  @Test
  void aRowThatIsStillHeldIsFoundAgainAtTheNewDeadline() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);

    table.settle(TASK, 7, new StillHeld(DEADLINE + 1_024));

    assertThat(table.reaping()).isZero();
    assertThat(table.expired(DEADLINE + 1_023, 9)).isEmpty();
    assertThat(table.expired(DEADLINE + 1_024, 9)).hasSize(1);
  }

  @Test
  void aRowThatIsStillHeldIsExtendedByTheHeartbeatThatWaited() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);
    table.settle(TASK, 7, new StillHeld(DEADLINE + 1_024));

    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE + 500)).isEqualTo(new Extended(LENGTH));
    assertThat(table.expired(DEADLINE + 1_024, 9)).isEmpty();
  }

  @Test
  void anOutcomeThatNobodyWaitsForChangesNothing() {
    table.settle(TASK, 7, new Freed());
    table.enter(entry(7));
    table.settle(TASK, 7, new Freed());
    table.expired(DEADLINE, 9);
    table.settle(TASK, 6, new Freed());
    table.settle(TASK, 8, new StillHeld(DEADLINE));

    assertThat(table.size()).isEqualTo(1);
    assertThat(table.reaping()).isEqualTo(1);
  }

  @Test
  void aNewerTokenEndsTheWaitForAReap() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);
    table.enter(entry(8));
    table.settle(TASK, 7, new Freed());

    assertThat(table.reaping()).isZero();
    assertThat(table.heartbeat(TASK, 8, ANNA, DEADLINE)).isEqualTo(new Extended(LENGTH));
  }

  /** The row was moved away and back; the statement that reaps it can still find it held here. */
  @Test
  void aRowThatComesBackWhileItsReapIsOnItsWayStillWaitsForIt() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);

    assertThat(table.remove(TASK, 7)).isEqualTo(RemoveResult.REMOVED);
    assertThat(table.remove(TASK, 7)).isEqualTo(RemoveResult.UNKNOWN);
    assertThat(table.size()).isZero();
    assertThat(table.reaping()).isEqualTo(1);
    assertThat(table.entry(TASK)).isEmpty();
    assertThat(table.ofWorker(ANNA)).isEmpty();
    assertThat(table.enter(entry(7))).isEqualTo(EnterResult.REAPING);
    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE)).isEqualTo(new Reaping());
    assertThat(table.size()).isEqualTo(1);

    table.settle(TASK, 7, new Freed());
    assertThat(table.size()).isZero();
  }

  @Test
  void aRowThatWasRemovedWhileItWasReapedDoesNotComeBackByItself() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);
    table.remove(TASK, 7);

    table.settle(TASK, 7, new StillHeld(DEADLINE + LENGTH));

    assertThat(table.heartbeat(TASK, 7, ANNA, DEADLINE)).isEqualTo(new Unknown());
    assertThat(table.reaping()).isZero();
  }

  @Test
  void theEndOfALaterHoldEndsTheMemoryOfAReapToo() {
    table.enter(entry(7));
    table.expired(DEADLINE, 9);
    table.remove(TASK, 7);

    assertThat(table.remove(TASK, 8)).isEqualTo(RemoveResult.UNKNOWN);
    assertThat(table.reaping()).isZero();
  }

  @Test
  void theRowsOfAWorkerAreListed() {
    table.enter(new TableEntry<>("a", 1, ANNA, LENGTH, DEADLINE));
    table.enter(new TableEntry<>("b", 1, BEN, LENGTH, DEADLINE));
    table.enter(new TableEntry<>("c", 1, ANNA, LENGTH, DEADLINE));

    assertThat(places(table.ofWorker(ANNA))).containsExactlyInAnyOrder("a", "c");
    assertThat(table.ofWorker(3)).isEmpty();
  }

  @Test
  void aDeadlineThatHasPassedAtEntryIsFoundByTheNextSearch() {
    table.expired(START + LENGTH, 9);
    enterUntil(TASK, START - DAY);

    assertThat(table.expired(START + LENGTH, 9)).hasSize(1);
  }

  @Test
  void aDeadlineBeyondTheLongestLeaseIsKept() {
    enterUntil("far", START + 100 * DAY);
    enterUntil("near", START + DAY);

    assertThat(places(table.expired(START + 99 * DAY, 9))).containsExactly("near");
    assertThat(places(table.expired(START + 100 * DAY, 9))).containsExactly("far");
  }

  @Test
  void aClockBelowZeroIsAsGoodAsAny() {
    LeaseTable<String> early = new LeaseTable<>(String::hashCode, DAY, -DAY);
    early.enter(new TableEntry<>(TASK, 7, ANNA, LENGTH, -1));

    assertThat(early.expired(-1, 9)).isEmpty();
    assertThat(early.expired(0, 9)).hasSize(1);
  }

  @Test
  void aSearchWithAnEarlierTimeFindsNothing() {
    table.expired(DEADLINE, 9);
    enterUntil(TASK, DEADLINE - 640);

    assertThat(table.expired(START, 9)).isEmpty();
    assertThat(table.expired(DEADLINE, 9)).hasSize(1);
  }

  @Test
  void aLengthIsAtLeastAMillisecondAndAtMost25Days() {
    for (long length : List.of(0L, -1L, TableEntry.LONGEST_MILLIS + 1)) {
      assertThatExceptionOfType(IllFormedException.class)
          .isThrownBy(() -> new TableEntry<>(TASK, 7, ANNA, length, DEADLINE));
      assertThatExceptionOfType(IllFormedException.class)
          .isThrownBy(() -> table.lengthen(TASK, 7, length, START));
      assertThatExceptionOfType(IllFormedException.class)
          .isThrownBy(() -> new LeaseTable<>(String::hashCode, length, START));
    }
  }

  private void enterUntil(String place, long deadlineMillis) {
    table.enter(new TableEntry<>(place, 7, ANNA, LENGTH, deadlineMillis));
  }

  private static TableEntry<String> entry(long token) {
    return new TableEntry<>(TASK, token, ANNA, LENGTH, DEADLINE);
  }

  private long deadline() {
    return table.entry(TASK).orElseThrow().deadlineMillis();
  }

  private static List<String> places(List<TableEntry<String>> entries) {
    return entries.stream().map(TableEntry::place).toList();
  }
}
