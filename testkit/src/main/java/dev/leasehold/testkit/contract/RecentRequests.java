package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
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
final class RecentRequests {
  private static final long WINDOW_MILLIS = Duration.ofMinutes(5).toMillis();

  private final SplittableRandom random;
  private final List<Sent> sent = new ArrayList<>();

  private record Sent(Command command, long firstMillis) {}

  RecentRequests(SplittableRandom random) {
    this.random = random;
  }

  void clockMovedTo(long millis) {
    sent.removeIf(one -> Math.abs(millis - one.firstMillis()) > WINDOW_MILLIS);
  }

  <T extends Command> T add(T command, long nowMillis) {
    sent.add(new Sent(command, nowMillis));
    return command;
  }

  /** Adds a command that shares another's request id, and may be sent again for as long as it. */
  <T extends Command> T addLike(Command source, T command) {
    long firstMillis =
        sent.stream()
            .filter(one -> one.command().equals(source))
            .mapToLong(Sent::firstMillis)
            .min()
            .orElseThrow();
    return add(command, firstMillis);
  }

  /** Rather one of the last: that is when repeats come. */
  Optional<Command> any() {
    if (sent.isEmpty()) {
      return Optional.empty();
    }
    int among = random.nextInt(4) == 0 ? sent.size() : Math.min(sent.size(), 12);
    return Optional.of(sent.get(sent.size() - 1 - random.nextInt(among)).command());
  }

  Optional<Command.Acquire> acquireOf(LeaseKey key) {
    List<Command.Acquire> acquires =
        sent.stream()
            .filter(one -> one.command().key().equals(key))
            .filter(one -> one.command() instanceof Command.Acquire)
            .map(one -> (Command.Acquire) one.command())
            .toList()
            .reversed();
    return acquires.isEmpty()
        ? Optional.empty()
        : Optional.of(acquires.get(random.nextInt(Math.min(acquires.size(), 6))));
  }
}
