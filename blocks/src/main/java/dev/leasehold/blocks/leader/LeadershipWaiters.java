package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Callers that wait until this replica leads. Used in turns. */
final class LeadershipWaiters {
  private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

  private final Environment environment;
  private final Supplier<Optional<WorkSlot>> slots;
  private final List<Waiter> waiting = new ArrayList<>();
  private boolean closed;

  private static final class Waiter {
    final CompletableFuture<Optional<WorkSlot>> told;
    Optional<Scheduler.Timer> timer = Optional.empty();

    Waiter(CompletableFuture<Optional<WorkSlot>> told) {
      this.told = told;
    }
  }

  /** The supplier gives a slot while this replica leads. */
  LeadershipWaiters(Environment environment, Supplier<Optional<WorkSlot>> slots) {
    this.environment = environment;
    this.slots = slots;
  }

  /** Completes the future with a slot, or with none after this time. */
  void enter(CompletableFuture<Optional<WorkSlot>> told, Duration wait) {
    Optional<WorkSlot> now = slots.get();
    if (now.isPresent() || closed || !wait.isPositive()) {
      tell(told, now);
      return;
    }
    long nanos = (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos();
    Waiter waiter = new Waiter(told);
    waiter.timer = Optional.of(environment.after(nanos, () -> leave(waiter, Optional.empty())));
    waiting.add(waiter);
  }

  /** The replica leads: gives each waiter a slot. */
  void open() {
    for (Waiter waiter : List.copyOf(waiting)) {
      Optional<WorkSlot> slot = slots.get();
      if (slot.isPresent()) {
        leave(waiter, slot);
      }
    }
  }

  void close() {
    closed = true;
    List.copyOf(waiting).forEach(waiter -> leave(waiter, Optional.empty()));
  }

  /** A waiter that gave up has already completed its own future. */
  void removeCancelled() {
    for (Waiter waiter : List.copyOf(waiting)) {
      if (waiter.told.isDone()) {
        leave(waiter, Optional.empty());
      }
    }
  }

  private void leave(Waiter waiter, Optional<WorkSlot> slot) {
    waiter.timer.ifPresent(Scheduler.Timer::cancel);
    waiting.remove(waiter);
    tell(waiter.told, slot);
  }

  /** A slot for a waiter that gave up in the meantime is left at once. */
  private static void tell(CompletableFuture<Optional<WorkSlot>> told, Optional<WorkSlot> slot) {
    if (!told.complete(slot)) {
      slot.ifPresent(unused -> unused.runner().ended(unused.run(), TermWork.RunResult.DONE));
    }
  }
}
