package dev.leasehold.blocks.rows.table;

import static dev.leasehold.blocks.rows.table.Slots.IN_PAGE;
import static dev.leasehold.blocks.rows.table.Slots.NONE;
import static dev.leasehold.blocks.rows.table.Slots.PAGE;
import static dev.leasehold.blocks.rows.table.Slots.PAGE_BITS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds an entry by its place: linear hashing. There are about as many lists as entries. Each new
 * entry adds one list, and moves into it what belongs there from one other list, so that no call
 * ever moves all of them, and the table is as dense at every size. A table with open addresses
 * would have to copy itself into one twice as large, or to look into two for a while.
 */
final class PlaceIndex<K> {
  private static final int FEWEST_LISTS = PAGE;

  private final Slots<K> slots;

  /** The first slot of each list. */
  private final List<int[]> heads = new ArrayList<>();

  private int lists = FEWEST_LISTS;

  PlaceIndex(Slots<K> slots) {
    this.slots = slots;
    addPage();
  }

  int find(K place, int hash) {
    int slot = head(listOf(hash));
    while (slot != NONE && !slots.isAt(slot, place, hash)) {
      slot = slots.chain(slot);
    }
    return slot;
  }

  /** Adds a slot that was just made. */
  void add(int slot) {
    push(slot);
    if (slots.size() > lists) {
      split();
    }
  }

  /** Removes a slot that is about to go. */
  void remove(int slot) {
    replace(slot, slots.chain(slot));
    if (lists > FEWEST_LISTS && slots.size() + PAGE < lists) {
      merge();
    }
  }

  /** The entry of one slot is about to be in another, which is free and in no list. */
  void move(int from, int to) {
    replace(from, to);
  }

  private void replace(int slot, int by) {
    int list = listOf(slots.hash(slot));
    int before = head(list);
    if (before == slot) {
      setHead(list, by);
      return;
    }
    while (slots.chain(before) != slot) {
      before = slots.chain(before);
    }
    slots.setChain(before, by);
  }

  /**
   * Which list it is by the low bits of the hash: by as many as are needed to number the lists, or,
   * where there is no such list yet, by one bit less.
   */
  private int listOf(int hash) {
    int half = Integer.highestOneBit(lists);
    int list = hash & (2 * half - 1);
    return list < lists ? list : list - half;
  }

  private void split() {
    int added = lists;
    if (added == heads.size() * PAGE) {
      addPage();
    }
    int parted = added - Integer.highestOneBit(added);
    int slot = head(parted);
    setHead(parted, NONE);
    lists++;
    pushAll(slot);
  }

  private void merge() {
    int removed = lists - 1;
    int slot = head(removed);
    setHead(removed, NONE);
    lists--;
    pushAll(slot);
    if (lists + PAGE == heads.size() * PAGE) {
      heads.removeLast();
    }
  }

  private void pushAll(int first) {
    int slot = first;
    while (slot != NONE) {
      int next = slots.chain(slot);
      push(slot);
      slot = next;
    }
  }

  private void push(int slot) {
    int list = listOf(slots.hash(slot));
    slots.setChain(slot, head(list));
    setHead(list, slot);
  }

  private int head(int list) {
    return heads.get(list >>> PAGE_BITS)[list & IN_PAGE];
  }

  private void setHead(int list, int slot) {
    heads.get(list >>> PAGE_BITS)[list & IN_PAGE] = slot;
  }

  private void addPage() {
    int[] page = new int[PAGE];
    Arrays.fill(page, NONE);
    heads.add(page);
  }

  long bytes() {
    return (long) heads.size() * PAGE * Integer.BYTES;
  }
}
