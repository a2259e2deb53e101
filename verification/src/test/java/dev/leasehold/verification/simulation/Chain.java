package dev.leasehold.verification.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What a store carries so that others know it again: a random value, replaced now and then while
 * something is granted, each behind the one before. Beside it, how much was ever written, which is
 * a counter and no identity: a copy that was restored counts up to the same number again.
 */
final class Chain {
  private final List<Long> links = new ArrayList<>();
  private long written;
  private boolean grantedSince = true;

  /** What a backup has of it. */
  record Copy(List<Long> links, long written) {}

  /** What a witness remembers of it. */
  record Seen(int place, long link, long written) {}

  void granted() {
    grantedSince = true;
    written++;
  }

  /** Others write to the same database. */
  void wrote(long more) {
    written += more;
  }

  /** A round in the background, never a command: one link for all that was granted since. */
  void renew(long link) {
    if (grantedSince) {
      grantedSince = false;
      links.add(link);
    }
  }

  Seen seen() {
    return new Seen(links.size() - 1, links.isEmpty() ? 0 : links.getLast(), written);
  }

  /** Whether it goes on from what was seen. */
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
