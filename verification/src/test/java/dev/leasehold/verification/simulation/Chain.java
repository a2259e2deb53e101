package dev.leasehold.verification.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The identity of a store's history: a chain of random values, to which a link is added from time
 * to time while something is granted. Beside it, how much was ever written, which is a counter and
 * no identity: a restored copy reaches the same number again.
 */
final class Chain {
  private final List<Long> links = new ArrayList<>();
  private long written;
  private boolean grantedSince = true;

  /** The part of it in a backup. */
  record Copy(List<Long> links, long written) {}

  /** The part of it that a witness remembers. */
  record Seen(int place, long link, long written) {}

  void granted() {
    grantedSince = true;
    written++;
  }

  /** Others write to the same database. */
  void wrote(long more) {
    written += more;
  }

  /** Runs in the background, not in a command: adds one link for all grants since the last. */
  void renew(long link) {
    if (grantedSince) {
      grantedSince = false;
      links.add(link);
    }
  }

  Seen seen() {
    return new Seen(links.size() - 1, links.isEmpty() ? 0 : links.getLast(), written);
  }

  /** Whether the chain continues the one that was seen. */
  boolean continues(Seen before) {
    return before.place() < 0
        || (before.place() < links.size() && links.get(before.place()) == before.link());
  }

  Copy copy() {
    return new Copy(List.copyOf(links), written);
  }

  void restore(Copy copy) {
    links.clear();
    links.addAll(copy.links());
    written = copy.written();
  }
}
