package dev.leasehold.kernel.wires;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.batches.Wire;
import dev.leasehold.kernel.engine.Holdings.Wires;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connects the state machines to a store, whose answers come back as events. */
public final class StoreWires {
  private static final System.Logger LOG = System.getLogger(StoreWires.class.getName());

  private final Store store;
  private final Executor turns;
  private final Executor callbacks;
  private final HintListener hints;

  /** Carries out batches: a store, or a wrapper around one. */
  @FunctionalInterface
  public interface Applying {
    CompletionStage<List<Outcome>> apply(List<Command> batch);
  }

  /** The source of hints. */
  @FunctionalInterface
  public interface Watching {
    LeaseStore.Subscription watch(String prefix, ChangeListener<LeaseChange> listener);
  }

  /** The parts of a store that a process uses. */
  public record Store(Applying applying, Watching watching) {
    public static Store of(LeaseStore store) {
      return new Store(store::apply, store::watch);
    }
  }

  /**
   * The executors.
   *
   * @param turns events, one at a time
   * @param callbacks tasks that may block, in no order
   */
  public record Threads(Executor turns, Executor callbacks) {}

  /** Receives changes of keys, in turns. */
  public interface HintListener {
    void changed(LeaseChange change);

    /** Changes of this key may have been missed. */
    void reset(LeaseKey key);
  }

  public StoreWires(Store store, Threads threads, HintListener hints) {
    this.store = store;
    this.turns = threads.turns();
    this.callbacks = threads.callbacks();
    this.hints = hints;
  }

  /**
   * Two wires, although both lead to the store, which sorts out renewals by itself: the engine
   * needs them to be independent.
   */
  public Wires wires() {
    Wire<Command, Outcome> wire = wire(store.applying()::apply, turns);
    return new Wires(wire, wire, this::watch);
  }

  /** A wire to what carries out the batches of a block. */
  public static <C, O> Wire<C, O> wire(
      Function<List<C>, CompletionStage<List<O>>> store, Executor turns) {
    return (batch, reply) -> send(store, turns, batch, reply);
  }

  private static <C, O> void send(
      Function<List<C>, CompletionStage<List<O>>> store,
      Executor turns,
      List<C> batch,
      Wire.Reply<O> reply) {
    CompletionStage<List<O>> answer;
    try {
      answer = Objects.requireNonNull(store.apply(batch), "the store returned no answer");
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
                        answered(outcomes, reply);
                      } else {
                        reply.failed(describe(failure));
                      }
                    }));
  }

  /** The callers get an answer even if that of the store is incomplete. */
  private static <O> void answered(@Nullable List<O> outcomes, Wire.Reply<O> reply) {
    if (outcomes == null || outcomes.stream().anyMatch(Objects::isNull)) {
      reply.failed("the store returned an incomplete answer: " + outcomes);
    } else {
      reply.answered(outcomes);
    }
  }

  private static String describe(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /**
   * A watch begins and ends outside the turns, since a store may block for both. Changes before the
   * watch began are not reported, so its beginning counts as a hint too.
   */
  private LeaseStore.Subscription watch(LeaseKey key) {
    CompletableFuture<LeaseStore.Subscription> begun = new CompletableFuture<>();
    callbacks.execute(() -> begin(key, begun));
    return () -> callbacks.execute(() -> end(key, begun));
  }

  private void begin(LeaseKey key, CompletableFuture<LeaseStore.Subscription> begun) {
    Hints listener = new Hints(key);
    try {
      begun.complete(
          Objects.requireNonNull(store.watching().watch(key.text(), listener), "no subscription"));
      listener.reset();
    } catch (Throwable e) {
      // Every waiter also sets a timer, so a failed watch only delays it.
      LOG.log(Level.WARNING, "changes of " + key + " cannot be watched", e);
    }
  }

  /** A watch that is still beginning is ended once it has begun. */
  private static void end(LeaseKey key, CompletableFuture<LeaseStore.Subscription> begun) {
    var unused =
        begun.thenAccept(
            watch -> {
              try {
                watch.close();
              } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "the watch of " + key + " could not be ended", e);
              }
            });
  }

  private final class Hints implements ChangeListener<LeaseChange> {
    private final LeaseKey key;

    Hints(LeaseKey key) {
      this.key = key;
    }

    @Override
    public void changed(LeaseChange change) {
      if (change.key().equals(key)) {
        turns.execute(() -> hints.changed(change));
      }
    }

    @Override
    public void reset() {
      turns.execute(() -> hints.reset(key));
    }
  }
}
