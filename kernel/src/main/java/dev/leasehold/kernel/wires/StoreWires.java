package dev.leasehold.kernel.wires;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.engine.Holdings.Wires;
import dev.leasehold.kernel.engine.Wire;
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
import org.jspecify.annotations.Nullable;

/** Joins the state machines to a store: what it answers comes back as events. */
public final class StoreWires {
  private static final System.Logger LOG = System.getLogger(StoreWires.class.getName());

  private final Store store;
  private final Executor turns;
  private final Executor callbacks;
  private final Heard heard;

  /** What answers come from: a store, or what stands before one. */
  @FunctionalInterface
  public interface Applying {
    CompletionStage<List<Outcome>> apply(List<Command> batch);
  }

  /** What hints come from. */
  @FunctionalInterface
  public interface Watching {
    LeaseStore.Subscription watch(String prefix, ChangeListener<LeaseChange> listener);
  }

  /** What a process has of a store. */
  public record Store(Applying applying, Watching watching) {
    public static Store of(LeaseStore store) {
      return new Store(store::apply, store::watch);
    }
  }

  /**
   * Where things run.
   *
   * @param turns events, one at a time
   * @param callbacks what may take its time; in no order
   */
  public record Threads(Executor turns, Executor callbacks) {}

  /** What is heard of keys, in turns. */
  public interface Heard {
    void changed(LeaseChange change);

    /** It may have been missed. */
    void reset(LeaseKey key);
  }

  public StoreWires(Store store, Threads threads, Heard heard) {
    this.store = store;
    this.turns = threads.turns();
    this.callbacks = threads.callbacks();
    this.heard = heard;
  }

  /** A store gives a batch of renewals its own way, so one wire would do; two say what is meant. */
  public Wires wires() {
    return new Wires(this::send, this::send, this::watch);
  }

  private void send(List<Command> batch, Wire.Reply reply) {
    wire(store.applying(), turns).send(batch, reply);
  }

  /** A wire to whatever carries out batches. */
  public static Wire wire(Applying store, Executor turns) {
    return (batch, reply) -> send(store, turns, batch, reply);
  }

  private static void send(Applying store, Executor turns, List<Command> batch, Wire.Reply reply) {
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
                        answered(outcomes, reply);
                      } else {
                        reply.failed(describe(failure));
                      }
                    }));
  }

  /** Whoever waits must not be left without an answer because the store's own makes no sense. */
  private static void answered(@Nullable List<Outcome> outcomes, Wire.Reply reply) {
    if (outcomes == null || outcomes.stream().anyMatch(Objects::isNull)) {
      reply.failed("the store gave an answer that is none: " + outcomes);
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
   * A watch is begun and ended off the turns, since a store may have to wait for both. What
   * happened to the key before it stood is not told; so that is a hint too.
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
      // Every waiter also holds a timer, so a watch that cannot be had only delays.
      LOG.log(Level.WARNING, "changes of " + key + " cannot be watched", e);
    }
  }

  /** One that has not begun yet is ended as soon as it has. */
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
        turns.execute(() -> heard.changed(change));
      }
    }

    @Override
    public void reset() {
      turns.execute(() -> heard.reset(key));
    }
  }
}
