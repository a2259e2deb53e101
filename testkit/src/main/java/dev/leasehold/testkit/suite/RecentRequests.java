package dev.leasehold.testkit.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a sender may still send again: commands whose first attempt is at most five minutes ago, as
 * the protocol has it. Once the store's clock has been past that, in either direction, they are
 * never sent again: one that takes effect under a clock far behind is forgotten when it is right.
 */
public final class RecentRequests<C> {
  private static final long WINDOW_MILLIS = Duration.ofMinutes(5).toMillis();

  private final SplittableRandom random;
  private final List<Sent<C>> sent = new ArrayList<>();

  private record Sent<C>(C command, long firstMillis) {}

  public RecentRequests(SplittableRandom random) {
    this.random = random;
  }

  public void clockMovedTo(long millis) {
    sent.removeIf(one -> Math.abs(millis - one.firstMillis()) > WINDOW_MILLIS);
  }

  public <T extends C> T add(T command, long nowMillis) {
    sent.add(new Sent<>(command, nowMillis));
    return command;
  }

  /** Adds a command that shares another's request id, and may be sent again for as long as it. */
  public <T extends C> T addLike(C source, T command) {
    long firstMillis =
        sent.stream()
            .filter(one -> one.command().equals(source))
            .mapToLong(Sent::firstMillis)
            .min()
            .orElseThrow();
    return add(command, firstMillis);
  }

  /** Rather one of the last: that is when repeats come. */
  public Optional<C> any() {
    if (sent.isEmpty()) {
      return Optional.empty();
    }
    int among = random.nextInt(4) == 0 ? sent.size() : Math.min(sent.size(), 12);
    return Optional.of(sent.get(sent.size() - 1 - random.nextInt(among)).command());
  }

  /** All of them, the latest first. */
  public List<C> latestFirst() {
    return sent.stream().map(Sent::command).toList().reversed();
  }
}
