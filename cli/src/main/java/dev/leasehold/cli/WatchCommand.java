package dev.leasehold.cli;

import dev.leasehold.kernel.spi.ChangeListener;
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
      "Events are hints: one may come twice, late or never.",
      "'reset' comes first, and wherever some may have been missed.",
      "",
      "Example:",
      "  leasehold lease watch --prefix leader/ --store jdbc:postgresql://db/app --json"
    })
final class WatchCommand extends LookingCommand {
  /** More than these are not kept for a slow reader. */
  private static final int BACKLOG = 10_000;

  private static final long LOOK_UP_SECONDS = 1;

  @Mixin final PrefixOption keys = new PrefixOption();

  WatchCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
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
    switch (event) {
      case Happened(LeaseChange change) -> {
        String word = change.kind().name().toLowerCase(Locale.ROOT);
        long token = change.token().value();
        surroundings
            .out()
            .println(
                options.json
                    ? new Json()
                        .with("event", word)
                        .with("key", change.key().text())
                        .with("token", token)
                    : "%-10s %s  token %d".formatted(word, change.key(), token));
      }
      case Missed missed ->
          surroundings
              .out()
              .println(
                  options.json
                      ? new Json().with("event", "reset")
                      : "reset      changes may have been missed");
      case End end -> {}
    }
  }

  private sealed interface Event {}

  private record Happened(LeaseChange change) implements Event {}

  /** Some that nobody was told of. */
  private record Missed() implements Event {}

  /** No more are wanted. */
  private record End() implements Event {}

  /** Between the store's threads, which must not block, and the one that prints. */
  private static final class Events implements ChangeListener<LeaseChange> {
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(BACKLOG);
    private volatile boolean missed;
    private volatile boolean over;

    /** What was before is not told, whichever way the store is asked. */
    Events() {
      queue.add(new Missed());
    }

    @Override
    public void changed(LeaseChange change) {
      if (!queue.offer(new Happened(change))) {
        missed = true;
      }
    }

    @Override
    public void reset() {
      missed = true;
    }

    /** After what has come already; where the reader is that far behind, at once. */
    void end() {
      if (!queue.offer(new End())) {
        over = true;
      }
    }

    boolean isOver() {
      return over;
    }

    /** Empty when there was nothing for a while: a reason to look whether somebody reads. */
    Optional<Event> next() throws InterruptedException {
      if (missed && queue.isEmpty()) {
        missed = false;
        return Optional.of(new Missed());
      }
      Event event = queue.poll(LOOK_UP_SECONDS, TimeUnit.SECONDS);
      over |= event instanceof End;
      if (event instanceof Missed) {
        // It is the first: whatever was missed until now was missed with it.
        missed = false;
      }
      return Optional.ofNullable(event);
    }
  }
}
