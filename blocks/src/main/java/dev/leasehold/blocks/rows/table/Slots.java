package dev.leasehold.blocks.rows.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of all entries. Entries are in the slots from 0 to {@code size() - 1} without a gap:
 * the last one moves into the slot of one that goes.
 *
 * <p>Slots are in pages, so that the table grows by one page at a time and copies no entry.
 */
final class Slots<K> {
  /** No slot: the end of a list. */
  static final int NONE = -1;

  static final int PAGE_BITS = 10;
  static final int PAGE = 1 << PAGE_BITS;
  static final int IN_PAGE = PAGE - 1;

  /** The row is with its worker, and filed under its deadline. */
  static final byte LIVE = 0;

  /** A statement that may free the row is on its way. */
  static final byte REAPING = 1;

  /** The same, but the hold is not here any more; the slot only remembers the statement. */
  static final byte DROPPED = 2;

  private static final int LONGS = 3;
  private static final int TOKEN = 0;
  private static final int WORKER = 1;
  private static final int DEADLINE = 2;

  private static final int INTS = 5;
  private static final int HASH = 0;
  private static final int CHAIN = 1;
  private static final int NEXT = 2;
  private static final int PREVIOUS = 3;
  private static final int LENGTH = 4;

  /** What a reference takes in a heap of less than 32 GiB; else it takes eight. */
  static final int REFERENCE_BYTES = 4;

  private final List<Page> pages = new ArrayList<>();
  private int size;

  int size() {
    return size;
  }

  /** Makes a live entry, which is neither in the index nor in the wheel yet. */
  int add(TableEntry<K> entry, int hash) {
    int slot = size++;
    if (slot >>> PAGE_BITS == pages.size()) {
      pages.add(new Page());
    }
    page(slot).places[slot & IN_PAGE] = entry.place();
    setInt(slot, HASH, hash);
    setHold(slot, entry);
    return slot;
  }

  /** Replaces the hold of a row by a live one. */
  void setHold(int slot, TableEntry<K> entry) {
    setLong(slot, TOKEN, entry.token());
    setLong(slot, WORKER, entry.worker());
    setLong(slot, DEADLINE, entry.deadlineMillis());
    setInt(slot, LENGTH, (int) entry.lengthMillis());
    setState(slot, LIVE);
  }

  /** Copies the last entry over another one, which is lost. */
  void moveLastTo(int slot) {
    Page from = page(size - 1);
    Page to = page(slot);
    int last = (size - 1) & IN_PAGE;
    int free = slot & IN_PAGE;
    System.arraycopy(from.longs, last * LONGS, to.longs, free * LONGS, LONGS);
    System.arraycopy(from.ints, last * INTS, to.ints, free * INTS, INTS);
    to.states[free] = from.states[last];
    to.places[free] = from.places[last];
  }

  /** One empty page stays, so that an entry that comes and goes at its border costs no page. */
  void removeLast() {
    size--;
    page(size).places[size & IN_PAGE] = null;
    if (size + 2 * PAGE <= pages.size() * PAGE) {
      pages.removeLast();
    }
  }

  TableEntry<K> entry(int slot) {
    return new TableEntry<>(place(slot), token(slot), worker(slot), length(slot), deadline(slot));
  }

  @SuppressWarnings("unchecked") // only add() puts places in, and removeLast() takes them out
  private K place(int slot) {
    return (K) page(slot).places[slot & IN_PAGE];
  }

  boolean isAt(int slot, K place, int hash) {
    return getInt(slot, HASH) == hash && place.equals(page(slot).places[slot & IN_PAGE]);
  }

  long token(int slot) {
    return getLong(slot, TOKEN);
  }

  long worker(int slot) {
    return getLong(slot, WORKER);
  }

  long deadline(int slot) {
    return getLong(slot, DEADLINE);
  }

  void setDeadline(int slot, long deadlineMillis) {
    setLong(slot, DEADLINE, deadlineMillis);
  }

  long length(int slot) {
    return getInt(slot, LENGTH);
  }

  void setLength(int slot, long lengthMillis) {
    setInt(slot, LENGTH, (int) lengthMillis);
  }

  byte state(int slot) {
    return page(slot).states[slot & IN_PAGE];
  }

  void setState(int slot, byte state) {
    page(slot).states[slot & IN_PAGE] = state;
  }

  /** The hash that the index finds this entry by. */
  int hash(int slot) {
    return getInt(slot, HASH);
  }

  /** The next slot with the same place in the index. */
  int chain(int slot) {
    return getInt(slot, CHAIN);
  }

  void setChain(int slot, int next) {
    setInt(slot, CHAIN, next);
  }

  /** The next slot with the same place in the wheel. */
  int next(int slot) {
    return getInt(slot, NEXT);
  }

  void setNext(int slot, int next) {
    setInt(slot, NEXT, next);
  }

  /** The slot before this one in the wheel; below zero for the first, as the wheel says. */
  int previous(int slot) {
    return getInt(slot, PREVIOUS);
  }

  void setPrevious(int slot, int previous) {
    setInt(slot, PREVIOUS, previous);
  }

  /** What the arrays take, with references of four bytes and without the places themselves. */
  long bytes() {
    return (long) pages.size()
        * (Page.LONGS_LENGTH * Long.BYTES
            + Page.INTS_LENGTH * Integer.BYTES
            + PAGE
            + PAGE * REFERENCE_BYTES);
  }

  private long getLong(int slot, int field) {
    return page(slot).longs[(slot & IN_PAGE) * LONGS + field];
  }

  private void setLong(int slot, int field, long value) {
    page(slot).longs[(slot & IN_PAGE) * LONGS + field] = value;
  }

  private int getInt(int slot, int field) {
    return page(slot).ints[(slot & IN_PAGE) * INTS + field];
  }

  private void setInt(int slot, int field, int value) {
    page(slot).ints[(slot & IN_PAGE) * INTS + field] = value;
  }

  private Page page(int slot) {
    return pages.get(slot >>> PAGE_BITS);
  }

  /** The fields of 1,024 entries, those of one entry beside each other. */
  private static final class Page {
    static final int LONGS_LENGTH = PAGE * LONGS;
    static final int INTS_LENGTH = PAGE * INTS;

    final long[] longs = new long[LONGS_LENGTH];
    final int[] ints = new int[INTS_LENGTH];
    final byte[] states = new byte[PAGE];
    final @Nullable Object[] places = new @Nullable Object[PAGE];
  }
}
