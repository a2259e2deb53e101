package dev.leasehold.kernel.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Held leases by the time of their next event. A lease can be moved or removed without a search.
 */
final class LeaseHeap {
  static final int ABSENT = -1;

  private final List<HeldLease> leases = new ArrayList<>();

  boolean isEmpty() {
    return leases.isEmpty();
  }

  int size() {
    return leases.size();
  }

  List<HeldLease> all() {
    return List.copyOf(leases);
  }

  HeldLease first() {
    return leases.getFirst();
  }

  /** Adds a lease, or moves it to the place of its next event. */
  void place(HeldLease lease) {
    if (lease.heapIndex == ABSENT) {
      lease.heapIndex = leases.size();
      leases.add(lease);
    }
    siftUp(lease.heapIndex);
    siftDown(lease.heapIndex);
  }

  void remove(HeldLease lease) {
    int hole = lease.heapIndex;
    if (hole == ABSENT) {
      return;
    }
    lease.heapIndex = ABSENT;
    HeldLease last = leases.removeLast();
    if (last != lease) {
      put(last, hole);
      siftUp(hole);
      siftDown(last.heapIndex);
    }
  }

  private void siftUp(int start) {
    int index = start;
    while (index > 0 && isBefore(leases.get(index), leases.get((index - 1) / 2))) {
      swap(index, (index - 1) / 2);
      index = (index - 1) / 2;
    }
  }

  private void siftDown(int start) {
    int index = start;
    while (true) {
      int child = 2 * index + 1;
      if (child >= leases.size()) {
        return;
      }
      if (child + 1 < leases.size() && isBefore(leases.get(child + 1), leases.get(child))) {
        child++;
      }
      if (!isBefore(leases.get(child), leases.get(index))) {
        return;
      }
      swap(index, child);
      index = child;
    }
  }

  private static boolean isBefore(HeldLease one, HeldLease other) {
    return one.nextEventNanos - other.nextEventNanos < 0;
  }

  private void swap(int one, int other) {
    HeldLease lease = leases.get(one);
    put(leases.get(other), one);
    put(lease, other);
  }

  private void put(HeldLease lease, int index) {
    leases.set(index, lease);
    lease.heapIndex = index;
  }
}
