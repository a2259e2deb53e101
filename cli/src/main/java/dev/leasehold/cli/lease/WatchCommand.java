package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Changes;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease watch}: prints changes as they come, until it is interrupted. */
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
public final class WatchCommand extends ReadCommand {
  /** Maximum number of events that are kept for a slow reader. */
  private static final int BACKLOG = 10_000;

  private static final long LOOK_UP_SECONDS = 1;

  @Mixin final PrefixOption keys = new PrefixOption();

  public WatchCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    Events events = new Events();
    var watching = store.leases().watch(keys.prefix, events);
    var registration = context.interruptions().onInterrupt(events::end);
    try {
      // A write shows whether the reader has gone.
      while (!events.isOver() && !context.out().checkError()) {
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
        String word = Changes.OF_LEASES.event(change);
        printLine(
            out -> Changes.OF_LEASES.write(out.text("event", word), change),
            "%-10s %s  token %d".formatted(word, change.key(), change.token().value()));
      }
      case Missed missed ->
          printLine(
              out -> out.text("event", Changes.RESET), "reset      changes may have been missed");
      case End end -> {}
    }
  }

  private sealed interface Event {}

  private record Happened(LeaseChange change) implements Event {}

  /** Some changes were dropped. */
  private record Missed() implements Event {}

  /** No more events are wanted. */
  private record End() implements Event {}

  /** The queue between the store's threads, which must not block, and the thread that prints. */
  private static final class Events implements ChangeListener<LeaseChange> {
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(BACKLOG);
    private volatile boolean missed;
    private volatile boolean over;

    /** Earlier changes are not reported, for any kind of store. */
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

    /** Ends the watch after the events that have come already; at once if the queue is full. */
    void end() {
      if (!queue.offer(new End())) {
        over = true;
      }
    }

    boolean isOver() {
      return over;
    }

    /**
     * Empty if no event came for a while, so that the caller can check whether the reader is still
     * there.
     */
    Optional<Event> next() throws InterruptedException {
      if (missed && queue.isEmpty()) {
        missed = false;
        return Optional.of(new Missed());
      }
      Event event = queue.poll(LOOK_UP_SECONDS, TimeUnit.SECONDS);
      over |= event instanceof End;
      if (event instanceof Missed) {
        // This notice also covers any changes that were missed before it.
        missed = false;
      }
      return Optional.ofNullable(event);
    }
  }
}
