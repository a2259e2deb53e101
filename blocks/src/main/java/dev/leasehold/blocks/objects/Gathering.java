package dev.leasehold.blocks.objects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Which calls go to the store together. While some are on their way the next ones gather, so one
 * caller alone gets a round trip of its own and many share a few. Calls with the same place are
 * never in two batches on their way, so they take effect in the order in which they came. A call
 * that is answered while it waits, by whoever has given it up, is never sent.
 *
 * <p>A state machine: whoever feeds it does so one event at a time, and sends what it says.
 *
 * @param <P> the place that a call is about
 */
final class Gathering<P, C, A> {
  private final Limits limits;
  private final Deque<Call<P, C, A>> waiting = new ArrayDeque<>();
  private final Set<P> underWay = new HashSet<>();
  private int flights;
  private long waitingBytes;

  /** How many batches may be on their way, how much may be in one, and how much may wait. */
  record Limits(int flights, int calls, long bytes, long waiting) {}

  /** A call and who waits for it. */
  record Call<P, C, A>(P place, C content, long bytes, CompletableFuture<A> answer) {
    /** Calls without content take memory too. */
    static final int BARE_BYTES = 1024;

    private boolean isGivenUp() {
      return answer.isDone();
    }

    private long bytesInAll() {
      return BARE_BYTES + bytes;
    }
  }

  Gathering(Limits limits) {
    this.limits = limits;
  }

  /** Whether one more call of so many bytes may come. */
  boolean hasRoomFor(long bytes) {
    long most = limits.waiting() - Call.BARE_BYTES - bytes;
    if (waitingBytes > most) {
      waiting.removeIf(Call::isGivenUp);
      waitingBytes = waiting.stream().mapToLong(Call::bytesInAll).sum();
    }
    return waitingBytes <= most;
  }

  void came(Call<P, C, A> call) {
    waiting.add(call);
    waitingBytes += call.bytesInAll();
  }

  /** Of a batch that {@link #next()} gave. */
  void landed(List<Call<P, C, A>> batch) {
    flights--;
    batch.forEach(call -> underWay.remove(call.place()));
  }

  /** What is to be sent now; empty if nothing is, for the time being. */
  List<Call<P, C, A>> next() {
    if (flights == limits.flights()) {
      return List.of();
    }
    List<Call<P, C, A>> batch = new ArrayList<>();
    long bytes = 0;
    Iterator<Call<P, C, A>> calls = waiting.iterator();
    boolean full = false;
    while (!full && calls.hasNext()) {
      Call<P, C, A> call = calls.next();
      if (call.isGivenUp()) {
        remove(call, calls);
      } else if (!underWay.contains(call.place())) {
        bytes += call.bytes();
        full = batch.size() == limits.calls() || (bytes > limits.bytes() && !batch.isEmpty());
        if (!full) {
          batch.add(call);
          remove(call, calls);
        }
      }
    }
    batch.forEach(call -> underWay.add(call.place()));
    flights += batch.isEmpty() ? 0 : 1;
    return batch;
  }

  private void remove(Call<P, C, A> call, Iterator<Call<P, C, A>> calls) {
    calls.remove();
    waitingBytes -= call.bytesInAll();
  }
}
