package dev.leasehold.blocks.rows.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a million entries cost, counted in bytes and steps, which are the same on every machine. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseTableCostTest {
  private static final long DAY = 86_400_000;
  private static final long LENGTH = 30_000;
  private static final int MILLION = 1_000_000;
  private static final long MEBIBYTE = 1 << 20;

  /** An object with two numbers of 64 bits, and with a header of 12 bytes. */
  private static final long BYTES_OF_AN_ID = 32;

  /** How many entries are added or removed before the bytes are counted again. */
  private static final int STRIDE = 64;

  /** A page of entries, one of the index and one of the wheel. */
  private static final long LARGEST_GROWTH = 60_000;

  /** What a table takes that has a few entries only. */
  private static final long SMALLEST_BYTES = 80_000;

  private final LeaseTable<Long> table = new LeaseTable<>(Long::longValue, DAY, 0);

  @Test
  void aMillionEntriesWithTheirIdsTakeLessThan100Mebibytes() {
    SplittableRandom random = new SplittableRandom(1);
    for (long place = 0; place < MILLION; place++) {
      table.enter(new TableEntry<>(place, 1, 1, DAY, random.nextLong(DAY)));
    }

    assertThat(table.bytes()).isLessThan(60L * MILLION);
    assertThat(table.bytes() + MILLION * BYTES_OF_AN_ID).isLessThan(100 * MEBIBYTE);
  }

  /** A table that copies itself into a larger one has a size at which it takes twice as much. */
  @Test
  void atEverySizeAnEntryTakesLessThan64BytesAndNoEntryCostsMoreThanItsPages() {
    long before = table.bytes();
    for (long place = 0; place < 300_000; place++) {
      enter(place, LENGTH);
      if (place % STRIDE == 0) {
        long bytes = table.bytes();
        assertThat(bytes - before).isBetween(0L, LARGEST_GROWTH);
        assertThat(bytes).isLessThan(SMALLEST_BYTES + 64 * place);
        before = bytes;
      }
    }
  }

  @Test
  void aTableThatEmptiesGivesItsPagesBackOneByOne() {
    long empty = table.bytes();
    for (long place = 0; place < 100_000; place++) {
      enter(place, LENGTH);
    }
    long before = table.bytes();
    for (long place = 0; place < 100_000; place++) {
      table.remove(place, 1);
      if (place % STRIDE == 0) {
        long bytes = table.bytes();
        assertThat(before - bytes).isBetween(0L, LARGEST_GROWTH);
        before = bytes;
      }
    }
    assertThat(table.bytes()).isLessThan(empty + LARGEST_GROWTH);
  }

  @Test
  void aSearchThatFindsNothingLooksAtItsTicksAndAtNoEntry() {
    for (long place = 0; place < MILLION; place++) {
      enter(place, LENGTH + place % LENGTH);
    }

    long steps = table.searchSteps();
    assertThat(table.expired(0, 1_000)).isEmpty();
    assertThat(table.expired(1_000, 1_000)).isEmpty();
    assertThat(table.expired(LENGTH - 1, 1_000)).isEmpty();

    assertThat(table.searchSteps() - steps).isLessThanOrEqualTo(LENGTH / 64 + 3);
  }

  /** Heartbeats file each entry anew, so that no search has to. */
  @Test
  void aSearchAfterAMillionHeartbeatsLooksAtNoEntryEither() {
    for (long place = 0; place < MILLION; place++) {
      enter(place, LENGTH);
    }
    for (long place = 0; place < MILLION; place++) {
      table.heartbeat(place, 1, 1, LENGTH / 2 + place % 1_000);
    }

    long steps = table.searchSteps();
    assertThat(table.expired(LENGTH + 1_000, 1_000)).isEmpty();
    assertThat(table.searchSteps() - steps).isLessThan(600);
  }

  @Test
  void aMillionThatExpireAtOnceAreFoundInAStepEach() {
    for (long place = 0; place < MILLION; place++) {
      enter(place, DAY);
    }

    long found = 0;
    List<TableEntry<Long>> page;
    do {
      page = table.expired(DAY, 1_000);
      for (TableEntry<Long> entry : page) {
        table.settle(entry.place(), entry.token(), new ReapOutcome.Freed());
      }
      found += page.size();
    } while (!page.isEmpty());

    assertThat(found).isEqualTo(MILLION);
    assertThat(table.searchSteps() - found).isLessThan(10_000);
    assertThat(table.size()).isZero();
  }

  /** A process that was stopped for a year passes over what it missed by the page. */
  @Test
  void aSearchAfterAYearDoesNotCountTheTicksOfAYear() {
    enter(1, DAY);

    assertThat(table.expired(365 * DAY, 9)).hasSize(1);

    assertThat(table.searchSteps()).isLessThan(5_000);
  }

  @Test
  void aHeartbeatMakesNoObject() {
    Long[] places = new Long[5_000];
    for (int i = 0; i < places.length; i++) {
      places[i] = (long) i;
      enter(places[i], LENGTH);
    }
    heartbeats(places, 0);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    thread.getCurrentThreadAllocatedBytes();

    long before = thread.getCurrentThreadAllocatedBytes();
    heartbeats(places, 10_000);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isZero();
  }

  private void heartbeats(Long[] places, long nowMillis) {
    for (int i = 0; i < places.length; i++) {
      table.heartbeat(places[i], 1, 1, nowMillis + i);
    }
  }

  private void enter(long place, long deadlineMillis) {
    table.enter(new TableEntry<>(place, 1, 1, LENGTH, deadlineMillis));
  }
}
