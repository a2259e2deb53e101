package dev.leasehold.blocks.rows.table;

import static dev.leasehold.blocks.rows.table.Slots.DROPPED;
import static dev.leasehold.blocks.rows.table.Slots.LIVE;
import static dev.leasehold.blocks.rows.table.Slots.NONE;
import static dev.leasehold.blocks.rows.table.Slots.REAPING;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The rows that workers hold behind one server, for one thread at a time. The package document has
 * the terms and the states of an entry.
 *
 * <p>A higher token always replaces a lower one, and a lower one changes nothing: what the store
 * told late does no harm. Within one token a deadline only moves to later.
 *
 * <p>What it costs, without the places themselves: 53 bytes an entry, and up to 6 MiB for the
 * deadlines of a day. Every verb but {@link #expired} and {@link #ofWorker} takes a constant number
 * of steps, and a heartbeat makes no object unless its lease is of another length than the one
 * before it. The table grows by a page of 1,024 entries, which is 50 KiB to make and nothing to
 * copy, and by one list of the index with each entry; it shrinks in the same steps.
 *
 * @param <K> what names a row; with {@code equals}
 */
public final class LeaseTable<K> {
  private static final HeartbeatResult UNKNOWN = new HeartbeatResult.Unknown();
  private static final HeartbeatResult SUPERSEDED = new HeartbeatResult.Superseded();
  private static final HeartbeatResult BEING_REAPED = new HeartbeatResult.Reaping();

  private final ToLongFunction<? super K> hash;
  private final Slots<K> slots = new Slots<>();
  private final PlaceIndex<K> index = new PlaceIndex<>(slots);
  private final DeadlineWheel wheel;

  /** The last one that was returned, for the next heartbeat of a lease of the same length. */
  private HeartbeatResult.Extended extended = new HeartbeatResult.Extended(0);

  private int reaping;
  private int dropped;

  /**
   * @param hash a hash of 64 bits. Where places come from senders, it must not be one that a sender
   *     can predict: places of the same hash are compared one by one
   * @param longestMillis the longest length of a lease that the server grants. Longer ones work,
   *     and cost some steps more
   * @param nowMillis the time of the callers' monotonic clock
   */
  public LeaseTable(ToLongFunction<? super K> hash, long longestMillis, long nowMillis) {
    TableEntry.requireLength(longestMillis);
    this.hash = hash;
    this.wheel = new DeadlineWheel(slots, longestMillis, nowMillis);
  }

  /** A row was taken for a worker, moved here, or found under this server by a reading. */
  public EnterResult enter(TableEntry<K> entry) {
    int mixed = mix(hash.applyAsLong(entry.place()));
    int slot = index.find(entry.place(), mixed);
    if (slot == NONE) {
      int added = slots.add(entry, mixed);
      index.add(added);
      wheel.file(added);
      return EnterResult.ENTERED;
    }
    if (entry.token() < slots.token(slot)) {
      return EnterResult.OUTDATED;
    }
    return entry.token() == slots.token(slot) ? enterAgain(slot, entry) : replace(slot, entry);
  }

  private EnterResult replace(int slot, TableEntry<K> entry) {
    endState(slot);
    slots.setHold(slot, entry);
    wheel.file(slot);
    return EnterResult.ENTERED;
  }

  /** The two may be told in either order, so the table keeps what is more for the worker. */
  private EnterResult enterAgain(int slot, TableEntry<K> entry) {
    if (entry.worker() != slots.worker(slot)) {
      throw new IllegalStateException(
          "two workers, %d and %d, have the token %d of %s"
              .formatted(slots.worker(slot), entry.worker(), entry.token(), entry.place()));
    }
    slots.setLength(slot, Math.max(slots.length(slot), entry.lengthMillis()));
    if (slots.state(slot) == LIVE) {
      wheel.defer(slot, entry.deadlineMillis());
      return EnterResult.KNOWN;
    }
    if (slots.state(slot) == DROPPED) {
      slots.setState(slot, REAPING);
      dropped--;
    }
    slots.setDeadline(slot, Math.max(slots.deadline(slot), entry.deadlineMillis()));
    return EnterResult.REAPING;
  }

  /**
   * A worker says that it works on a row. A worker with a newer token than the table's is sent to
   * the store: its row was taken through another server, and the news of that is still to come.
   */
  public HeartbeatResult heartbeat(K place, long token, long worker, long nowMillis) {
    int slot = find(place);
    if (slot == NONE || slots.token(slot) < token) {
      return UNKNOWN;
    }
    if (slots.token(slot) > token || slots.worker(slot) != worker) {
      return SUPERSEDED;
    }
    return extend(slot, nowMillis);
  }

  /** A worker has asked for a longer lease, and the store has written that. */
  public HeartbeatResult lengthen(K place, long token, long lengthMillis, long nowMillis) {
    TableEntry.requireLength(lengthMillis);
    int slot = find(place);
    if (slot == NONE || slots.token(slot) < token) {
      return UNKNOWN;
    }
    if (slots.token(slot) > token) {
      return SUPERSEDED;
    }
    slots.setLength(slot, Math.max(slots.length(slot), lengthMillis));
    return extend(slot, nowMillis);
  }

  /**
   * The worker is told the length, and not the time until the deadline. That may be later: a row
   * that was moved here is kept for as long as the server before may have promised.
   */
  private HeartbeatResult extend(int slot, long nowMillis) {
    if (slots.state(slot) != LIVE) {
      return BEING_REAPED;
    }
    long length = slots.length(slot);
    wheel.defer(slot, nowMillis + length);
    if (extended.remainingMillis() != length) {
      extended = new HeartbeatResult.Extended(length);
    }
    return extended;
  }

  /** A hold has ended, or is no longer behind this server; so have all that were before it. */
  public RemoveResult remove(K place, long token) {
    int slot = find(place);
    if (slot == NONE) {
      return RemoveResult.UNKNOWN;
    }
    if (slots.token(slot) > token) {
      return RemoveResult.OUTDATED;
    }
    boolean isHere = slots.state(slot) != DROPPED;
    if (slots.token(slot) < token || slots.state(slot) == LIVE) {
      delete(slot);
    } else if (isHere) {
      slots.setState(slot, DROPPED);
      dropped++;
    }
    return isHere ? RemoveResult.REMOVED : RemoveResult.UNKNOWN;
  }

  /**
   * Returns entries whose deadline has passed, and makes them reaping: none is returned again
   * before it is settled. An entry is found from the first multiple of 64 ms on that is not before
   * its deadline; those found at an earlier one come first.
   *
   * @param max at most so many; if so many are returned, there may be more
   */
  public List<TableEntry<K>> expired(long nowMillis, int max) {
    List<TableEntry<K>> found = new ArrayList<>();
    while (found.size() < max) {
      int slot = wheel.poll(nowMillis);
      if (slot == NONE) {
        break;
      }
      slots.setState(slot, REAPING);
      reaping++;
      found.add(slots.entry(slot));
    }
    return found;
  }

  /** The store has answered what became of an entry that {@link #expired} returned. */
  public void settle(K place, long token, ReapOutcome outcome) {
    int slot = find(place);
    if (slot == NONE || slots.token(slot) != token || slots.state(slot) == LIVE) {
      return;
    }
    if (outcome instanceof ReapOutcome.StillHeld(long deadlineMillis)
        && slots.state(slot) == REAPING) {
      endState(slot);
      slots.setState(slot, LIVE);
      slots.setDeadline(slot, Math.max(slots.deadline(slot), deadlineMillis));
      wheel.file(slot);
    } else {
      delete(slot);
    }
  }

  public Optional<TableEntry<K>> entry(K place) {
    int slot = find(place);
    return slot == NONE || slots.state(slot) == DROPPED
        ? Optional.empty()
        : Optional.of(slots.entry(slot));
  }

  /** The rows of one worker. Looks at every entry. */
  public List<TableEntry<K>> ofWorker(long worker) {
    List<TableEntry<K>> found = new ArrayList<>();
    for (int slot = 0; slot < slots.size(); slot++) {
      if (slots.worker(slot) == worker && slots.state(slot) != DROPPED) {
        found.add(slots.entry(slot));
      }
    }
    return found;
  }

  /** The number of rows that workers hold here, with those that are being reaped. */
  public int size() {
    return slots.size() - dropped;
  }

  /** The number of entries that {@link #expired} has returned and that are not settled. */
  public int reaping() {
    return reaping;
  }

  /** What the arrays take, with references of four bytes and without the places themselves. */
  long bytes() {
    return slots.bytes() + index.bytes() + wheel.bytes();
  }

  /** How many lists and entries all calls of {@link #expired} have looked at. */
  long searchSteps() {
    return wheel.steps();
  }

  private void delete(int slot) {
    endState(slot);
    index.remove(slot);
    int last = slots.size() - 1;
    if (slot != last) {
      slots.moveLastTo(slot);
      index.move(last, slot);
      if (slots.state(slot) == LIVE) {
        wheel.moved(slot);
      }
    }
    slots.removeLast();
  }

  /** Takes an entry out of what its state puts it into. */
  private void endState(int slot) {
    if (slots.state(slot) == LIVE) {
      wheel.unfile(slot);
      return;
    }
    reaping--;
    if (slots.state(slot) == DROPPED) {
      dropped--;
    }
  }

  private int find(K place) {
    return index.find(place, mix(hash.applyAsLong(place)));
  }

  /** Spreads a hash, so that one that differs in a few bits only is as good as any. */
  private static int mix(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed ^ (mixed >>> 32));
  }
}
