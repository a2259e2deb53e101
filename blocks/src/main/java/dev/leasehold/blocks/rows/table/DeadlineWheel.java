package dev.leasehold.blocks.rows.table;

import static dev.leasehold.blocks.rows.table.Slots.IN_PAGE;
import static dev.leasehold.blocks.rows.table.Slots.NONE;
import static dev.leasehold.blocks.rows.table.Slots.PAGE;
import static dev.leasehold.blocks.rows.table.Slots.PAGE_BITS;
import static dev.leasehold.blocks.rows.table.Slots.REFERENCE_BYTES;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries whose deadline has passed: a timing wheel of one level. Time is cut into ticks
 * of 64 ms, and each tick has a list of the entries that are due at its beginning. So an entry is
 * due at most 64 ms after its deadline, and never before it.
 *
 * <p>An entry is in the list of its own tick, whatever its length, and a later deadline moves it
 * there at once. So a search touches an entry once, when it is due: there are no coarse lists that
 * one search would have to sort into finer ones, a million entries at a time. The lists of ticks
 * that nothing is filed under take no memory.
 *
 * <p>The wheel goes round in a day and more. An entry that is due still later is filed as late as
 * possible, and again from there.
 */
final class DeadlineWheel {
  private static final int TICK_BITS = 6;
  private static final long IN_TICK = (1 << TICK_BITS) - 1;

  /** Pages that are kept for reuse: one comes into use as another is left behind. */
  private static final int SPARE_PAGES = 2;

  private final Slots<?> slots;

  /** The first slot of each tick's list; null where no list of a page has entries. */
  private final int[] @Nullable [] heads;

  /** How many lists of each page have entries. */
  private final short[] used;

  private final List<int[]> spare = new ArrayList<>(SPARE_PAGES);

  /** The number of lists, less one: a mask. */
  private final int inWheel;

  /** The first tick whose list may have entries. */
  private long cursor;

  private int filed;
  private long steps;

  /**
   * @param spanMillis how far ahead of a search deadlines usually are, at most
   */
  DeadlineWheel(Slots<?> slots, long spanMillis, long nowMillis) {
    this.slots = slots;
    int ticks = (int) (spanMillis >> TICK_BITS) + PAGE;
    int lists = 2 * Integer.highestOneBit(ticks);
    inWheel = lists - 1;
    heads = new int[lists >> PAGE_BITS][];
    used = new short[lists >> PAGE_BITS];
    cursor = nowMillis >> TICK_BITS;
  }

  /** Files an entry under its deadline; under the next search, if that has passed. */
  void file(int slot) {
    long tick = Math.clamp(dueTick(slots.deadline(slot)), cursor, cursor + inWheel);
    int list = (int) (tick & inWheel);
    int first = head(list);
    slots.setNext(slot, first);
    slots.setPrevious(slot, ~list);
    if (first != NONE) {
      slots.setPrevious(first, slot);
    }
    setHead(list, slot);
    filed++;
  }

  void unfile(int slot) {
    int next = slots.next(slot);
    int previous = slots.previous(slot);
    if (next != NONE) {
      slots.setPrevious(next, previous);
    }
    if (previous < 0) {
      setHead(~previous, next);
    } else {
      slots.setNext(previous, next);
    }
    filed--;
  }

  /** Gives a filed entry a later deadline, or leaves it the one that it has. */
  void defer(int slot, long deadlineMillis) {
    long before = slots.deadline(slot);
    if (deadlineMillis <= before) {
      return;
    }
    if (dueTick(deadlineMillis) == dueTick(before)) {
      slots.setDeadline(slot, deadlineMillis);
      return;
    }
    unfile(slot);
    slots.setDeadline(slot, deadlineMillis);
    file(slot);
  }

  /** A filed entry was copied to this slot from another one. */
  void moved(int slot) {
    int next = slots.next(slot);
    int previous = slots.previous(slot);
    if (next != NONE) {
      slots.setPrevious(next, slot);
    }
    if (previous < 0) {
      setHead(~previous, slot);
    } else {
      slots.setNext(previous, slot);
    }
  }

  /**
   * Takes an entry out whose deadline has passed.
   *
   * @return its slot, or {@link Slots#NONE}
   */
  int poll(long nowMillis) {
    long now = nowMillis >> TICK_BITS;
    while (cursor <= now) {
      steps++;
      int slot = head((int) (cursor & inWheel));
      if (slot != NONE) {
        unfile(slot);
        if (dueTick(slots.deadline(slot)) <= now) {
          return slot;
        }
        file(slot);
      } else if (cursor == now) {
        return NONE;
      } else {
        cursor = filed == 0 ? now : Math.min(now, nextTick());
      }
    }
    return NONE;
  }

  /** The tick after this one, or the first after a page that has no entries. */
  private long nextTick() {
    boolean emptyPage = heads[(int) (cursor & inWheel) >> PAGE_BITS] == null;
    return (emptyPage ? cursor | IN_PAGE : cursor) + 1;
  }

  /** The first tick whose beginning is not before the deadline. */
  private static long dueTick(long deadlineMillis) {
    return (deadlineMillis >> TICK_BITS) + ((deadlineMillis & IN_TICK) == 0 ? 0 : 1);
  }

  private int head(int list) {
    int[] page = heads[list >> PAGE_BITS];
    return page == null ? NONE : page[list & IN_PAGE];
  }

  private void setHead(int list, int slot) {
    int number = list >> PAGE_BITS;
    int[] page = heads[number];
    if (page == null) {
      page = spare.isEmpty() ? emptyPage() : spare.removeLast();
      heads[number] = page;
    }
    int before = page[list & IN_PAGE];
    page[list & IN_PAGE] = slot;
    if (before == NONE) {
      used[number]++;
    } else if (slot == NONE && --used[number] == 0) {
      giveBack(number, page);
    }
  }

  private void giveBack(int number, int[] page) {
    heads[number] = null;
    if (spare.size() < SPARE_PAGES) {
      spare.add(page);
    }
  }

  private static int[] emptyPage() {
    int[] page = new int[PAGE];
    Arrays.fill(page, NONE);
    return page;
  }

  /** How many lists and entries all searches have looked at. */
  long steps() {
    return steps;
  }

  /** What the arrays take, with references of four bytes. */
  long bytes() {
    long pages = Arrays.stream(heads).filter(Objects::nonNull).count() + spare.size();
    return pages * PAGE * Integer.BYTES
        + (long) heads.length * REFERENCE_BYTES
        + (long) used.length * Short.BYTES;
  }
}
