package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease watch}: tells of changes as they come, until it is interrupted. */
@Command(
    name = "watch",
    description = "Print what happens to leases, until Ctrl-C.",
    footer = {
      "",
      "Events are hints: one may come twice, late or never. After 'reset' some were missed.",
      "",
      "Example:",
      "  leasehold lease watch --prefix leader/ --store jdbc:postgresql://db/app --json"
    })
final class WatchCommand extends StoreCommand {
  /** More than these are not kept for a slow reader. */
  private static final int BACKLOG = 10_000;

  private static final long LOOK_UP_SECONDS = 1;

  @Mixin final PrefixOption keys = new PrefixOption();

  WatchCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    Events events = new Events();
    var watching = store.watch(keys.prefix, events);
    var registration = surroundings.interruptions().onInterrupt(events::end);
    try {
      // A reader that has gone away is noticed when it is written to.
      while (!events.isOver() && !surroundings.out().checkError()) {
        events.next().ifPresent(this::print);
      }
      return Exit.DONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Exit.INTERRUPTED;
    } finally {
      registration.close();
      watching.close();
    }
  }

  private void print(Event event) {
    surroundings.out().println(options.json ? event.json() : event.text());
  }

  /** Empty: some were missed. */
  private record Event(Optional<LeaseChange> change) {
    Json json() {
      return change
          .map(c -> new Json().with("event", word(c)).with("key", c.key().text()))
          .map(json -> json.with("token", change.get().token().value()))
          .orElseGet(() -> new Json().with("event", "reset"));
    }

    String text() {
      return change
          .map(c -> "%-10s %s  token %s".formatted(word(c), c.key(), c.token()))
          .orElse("reset      changes may have been missed");
    }

    private static String word(LeaseChange change) {
      return change.kind().name().toLowerCase(Locale.ROOT);
    }
  }

  /** Between the store's threads, which must not block, and the one that prints. */
  private static final class Events implements LeaseStore.ChangeListener {
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(BACKLOG);
    private volatile boolean missed;
    private volatile boolean over;

    @Override
    public void changed(LeaseChange change) {
      if (!queue.offer(new Event(Optional.of(change)))) {
        missed = true;
      }
    }

    @Override
    public void reset() {
      missed = true;
    }

    void end() {
      over = true;
      // Wakes whoever waits for the next; a full queue has nobody waiting.
      boolean unused = queue.offer(new Event(Optional.empty()));
    }

    boolean isOver() {
      return over;
    }

    Optional<Event> next() throws InterruptedException {
      if (missed && queue.isEmpty()) {
        missed = false;
        return Optional.of(new Event(Optional.empty()));
      }
      Event event = queue.poll(LOOK_UP_SECONDS, TimeUnit.SECONDS);
      return over ? Optional.empty() : Optional.ofNullable(event);
    }
  }
}
