package dev.leasehold.kernel;

import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Ends leases that their holder gives up: releases them, or hands them over to an heir. */
final class ReleaseAndHandOver {
  private final Holdings holdings;
  private final Executor turns;

  ReleaseAndHandOver(Holdings holdings, Executor turns) {
    this.holdings = holdings;
    this.turns = turns;
  }

  /** If a hand-over is waiting for the work, its result says that the lease was given back. */
  CompletableFuture<Release> release(HeldLease held, LossSignals signals, Duration kept) {
    CompletableFuture<Release> told =
        kept.isZero()
            ? ask(receiver -> holdings.release(held, receiver))
            : releaseAfter(kept, held);
    signals.waitNoLongerForRest();
    return told;
  }

  /** The release happens later and no caller waits for it; the store's grant lasts until then. */
  private CompletableFuture<Release> releaseAfter(Duration kept, HeldLease held) {
    CompletableFuture<Release> told = new CompletableFuture<>();
    inTurn(
        told,
        () -> {
          LossReason over = holdings.releaseAfter(kept.toNanos(), held);
          told.complete(
              over instanceof LossReason.Released
                  ? new Release.Kept(kept)
                  : new Release.AlreadyOver(over));
        });
    return told;
  }

  /** Hands over at once. The work is told to stop, and interrupted after its grace. */
  CompletableFuture<Release> handOverWithOverlap(
      HeldLease held, LossSignals signals, Command.Heir heir) {
    return ask(
        receiver -> {
          holdings.handOver(held, heir, receiver);
          holdings.windDown(held, signals::stopWorkThatIsLeft, () -> {});
        });
  }

  /** Tells the work to stop, and ends the lease after the grace. */
  void windDown(HeldLease held) {
    turns.execute(() -> holdings.windDown(held, () -> {}, () -> {}));
  }

  /** Hands over once the work has ended, or not at all. */
  CompletableFuture<Release> handOverWithGap(
      HeldLease held, LossSignals signals, Command.Heir heir) {
    Gap gap = new Gap(held, heir);
    // This comes first: with a grace of zero, work that has already ended must not count as
    // running.
    var unused = signals.whenAtRest().thenRun(() -> inTurn(gap.told, gap::workHasEnded));
    inTurn(gap.told, () -> holdings.windDown(held, () -> {}, gap::timeIsUp));
    return gap.told;
  }

  /** A hand-over that waits for the work to end. All its methods run in turns. */
  private final class Gap {
    final CompletableFuture<Release> told = new CompletableFuture<>();
    private final HeldLease held;
    private final Command.Heir heir;
    private boolean decided;

    Gap(HeldLease held, Command.Heir heir) {
      this.held = held;
      this.heir = heir;
    }

    void workHasEnded() {
      if (!decided) {
        decided = true;
        holdings.handOver(held, heir, answer -> told.complete(releaseBy(answer)));
      }
    }

    void timeIsUp() {
      if (!decided) {
        decided = true;
        told.complete(new Release.StillRunning());
      }
    }
  }

  private CompletableFuture<Release> ask(Consumer<Answer.Receiver<Outcome>> event) {
    CompletableFuture<Release> told = new CompletableFuture<>();
    inTurn(told, () -> event.accept(answer -> told.complete(releaseBy(answer))));
    return told;
  }

  private void inTurn(CompletableFuture<?> told, Runnable event) {
    turns.execute(guarded(told, event));
  }

  /** If the event fails, the future fails too, so that its caller does not wait for ever. */
  static Runnable guarded(CompletableFuture<?> future, Runnable event) {
    return () -> {
      try {
        event.run();
      } catch (RuntimeException | Error e) {
        future.completeExceptionally(e);
        throw e;
      }
    };
  }

  private static Release releaseBy(Answer<Outcome> answer) {
    return switch (answer.outcome()) {
      case Outcome.Released released -> new Release.Released();
      case Outcome.HandedOver handedOver -> new Release.HandedOver(handedOver.token());
      case Outcome.Lost lost -> new Release.AlreadyOver(lost.reason());
      case Outcome.Closed closed -> new Release.HeirRefused(closed.reason());
      case Outcome.Failed failed -> new Release.Unknown(failed.detail());
      case Outcome other -> new Release.Unknown("the store answered " + other);
    };
  }
}
