package dev.leasehold.cli.demo;

import java.util.List;
import java.util.stream.IntStream;

/** What became of A's late write at one place, by the log that the place itself has kept. */
public sealed interface Ending {
  Place place();

  /** What was written since A had the lease. */
  List<Entry> log();

  /**
   * The log is what B has left.
   *
   * @param why what A was told
   */
  record StaleWriteRefused(Place place, String why, List<Entry> log) implements Ending {}

  /** What B has written is gone, or has been written over by somebody who did not know of it. */
  record StaleWriteLanded(Place place, List<Entry> log) implements Ending {}

  /**
   * Holds the log against what it must be: B's entries are there, nothing with a lower token comes
   * after them, and everybody has known of the entry before its own.
   */
  static Ending of(Place place, Round round, String told) {
    List<Entry> log = round.log();
    boolean whole =
        log.stream().anyMatch(entry -> entry.token() == round.successor())
            && IntStream.range(1, log.size()).allMatch(i -> follows(log.get(i - 1), log.get(i)));
    if (!whole) {
      return new StaleWriteLanded(place, log);
    }
    if (!told.startsWith("refused")) {
      throw new IllegalStateException(
          "A was told '%s' at %s, and the log does not have it: %s".formatted(told, place, log));
    }
    return new StaleWriteRefused(place, told.split(" ", 3)[2], log);
  }

  private static boolean follows(Entry before, Entry after) {
    return after.token() >= before.token() && after.continues(before);
  }

  /**
   * One time that A was paused and B took over.
   *
   * @param successor B's token
   * @param log what was written since A had the lease, and the entry before that
   */
  record Round(long successor, List<Entry> log) {
    static Round of(long paused, long successor, List<Entry> all) {
      int first = 0;
      while (first < all.size() && all.get(first).token() < paused) {
        first++;
      }
      return new Round(successor, all.subList(Math.max(0, first - 1), all.size()));
    }
  }
}
