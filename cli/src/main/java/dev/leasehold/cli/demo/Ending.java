package dev.leasehold.cli.demo;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The result of A's late write at one place, according to the log that the place itself has kept.
 */
public sealed interface Ending {
  AccountPlace place();

  /** The entries written since A acquired the lease. */
  List<Entry> log();

  /**
   * The log is as B left it.
   *
   * @param why the reason that A was given
   */
  record StaleWriteRefused(AccountPlace place, String why, List<Entry> log) implements Ending {}

  /** B's entry is gone, or a later holder that did not know of it has overwritten it. */
  record StaleWriteLanded(AccountPlace place, List<Entry> log) implements Ending {}

  /**
   * Checks the log: it contains B's entries, no entry with a lower token follows them, and each
   * writer knew of the entry before its own.
   */
  static Ending of(AccountPlace place, Round round, String told) {
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
   * One round, in which A was paused and B took over.
   *
   * @param successor B's token
   * @param log the entries written since A acquired the lease, and the entry before them
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
