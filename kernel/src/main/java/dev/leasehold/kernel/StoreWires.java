package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.engine.Holdings.Wires;
import dev.leasehold.kernel.engine.Wire;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Joins the state machines to a store: what it answers comes back as events. */
final class StoreWires {
  private static final System.Logger LOG = System.getLogger(StoreWires.class.getName());

  private final LeaseStore store;
  private final Executor turns;
  private final Consumer<LeaseKey> hints;

  StoreWires(LeaseStore store, Executor turns, Consumer<LeaseKey> hints) {
    this.store = store;
    this.turns = turns;
    this.hints = hints;
  }

  /** A store gives a batch of renewals its own way, so one wire would do; two say what is meant. */
  Wires wires() {
    return new Wires(this::send, this::send, this::watch);
  }

  private void send(List<Command> batch, Wire.Reply reply) {
    CompletionStage<List<Outcome>> answer;
    try {
      answer = Objects.requireNonNull(store.apply(batch), "the store gave no answer at all");
    } catch (Throwable e) {
      turns.execute(() -> reply.failed(describe(e)));
      return;
    }
    var unused =
        answer.whenComplete(
            (outcomes, failure) ->
                turns.execute(
                    () -> {
                      if (failure == null) {
                        reply.answered(outcomes);
                      } else {
                        reply.failed(describe(failure));
                      }
                    }));
  }

  private static String describe(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private LeaseStore.Subscription watch(LeaseKey key) {
    try {
      LeaseStore.Subscription watch = store.watch(key.text(), new Hints(key));
      return () -> close(watch, key);
    } catch (RuntimeException e) {
      // Every waiter also holds a timer, so a watch that cannot be had only delays.
      LOG.log(Level.WARNING, "changes of " + key + " cannot be watched", e);
      return () -> {};
    }
  }

  /** In the turn that tells a caller its verdict, which must not be lost to this. */
  private static void close(LeaseStore.Subscription watch, LeaseKey key) {
    try {
      watch.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the watch of " + key + " could not be ended", e);
    }
  }

  private final class Hints implements LeaseStore.ChangeListener {
    private final LeaseKey key;

    Hints(LeaseKey key) {
      this.key = key;
    }

    @Override
    public void changed(LeaseChange change) {
      boolean mayBeFree =
          switch (change.kind()) {
            case RELEASED, EXPIRED, REVOKED -> true;
            case GRANTED, SUPERSEDED -> false;
          };
      if (mayBeFree && change.key().equals(key)) {
        reset();
      }
    }

    @Override
    public void reset() {
      turns.execute(() -> hints.accept(key));
    }
  }
}
