package dev.leasehold.verification.simulation;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.wires.StoreWires;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The network between one process and the store, with its faults, behind the wires that a real
 * process has.
 */
final class SimWire implements StoreWires.Applying {
  private static final long LONGEST_DELAY = 20 * World.SECOND;

  private final World world;
  private final SimProcess process;
  private final Lane lane;
  private final StoreSide storeSide;

  /** Renewals have a lane of their own. */
  enum Lane {
    COMMANDS,
    RENEWALS
  }

  /** The other end, and the observers. */
  record StoreSide(
      Carrier carrier, StoreFaults storeFaults, Judge judge, HistoryRecorder recorder) {}

  /** When a batch was sent, in the world's time and on the sender's ticker. */
  record Sent(Lane lane, long nanos, long ticks) {}

  SimWire(World world, SimProcess process, Lane lane, StoreSide storeSide) {
    this.world = world;
    this.process = process;
    this.lane = lane;
    this.storeSide = storeSide;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    storeSide.judge().sending(process, lane, batch);
    return new Attempt(batch).depart();
  }

  private final class Attempt {
    private final List<Command> batch;
    private final CompletableFuture<List<Outcome>> reply = new CompletableFuture<>();
    private final Sent sent = new Sent(lane, world.now(), process.ticks());
    private final List<HistoryRecorder.OpenCall> calls = new ArrayList<>();

    Attempt(List<Command> batch) {
      this.batch = batch;
      recordCalls(calls);
    }

    private void recordCalls(List<HistoryRecorder.OpenCall> to) {
      batch.forEach(c -> to.add(storeSide.recorder().call(Ask.of(c).orElseThrow())));
    }

    private void wrong() {
      batch.forEach(command -> storeSide.judge().wentWrong(process, lane, command, sent.nanos()));
    }

    CompletionStage<List<Outcome>> depart() {
      world.trace(process.name(), () -> "sends " + TraceText.of(batch));
      if (strikes(FaultKind.STORE_BROKEN)) {
        return broken();
      }
      handOff();
      long delay = process.aheadNanos() + world.latency();
      if (strikes(FaultKind.REQUEST_DUPLICATED)) {
        recordCalls(new ArrayList<>());
        world.after(delay + world.between(0, LONGEST_DELAY), this::applyAgain);
      }
      if (strikes(FaultKind.REQUEST_LOST)) {
        wrong();
        return reply;
      }
      if (strikes(FaultKind.REQUEST_LATE)) {
        wrong();
        delay += world.between(World.SECOND / 5, LONGEST_DELAY);
      }
      world.after(delay, this::arrive);
      return reply;
    }

    /**
     * Nothing is sent; the wires must turn this into an answer, or the caller would wait for ever.
     */
    private CompletionStage<List<Outcome>> broken() {
      wrong();
      told(new Outcome.Failed(Certainty.UNKNOWN, "the store is broken"));
      if (world.chance(0.5)) {
        throw new IllegalStateException("the store is broken");
      }
      return CompletableFuture.failedFuture(new IllegalStateException("the store is broken"));
    }

    /** Sending a batch takes time, so a clock that is read afterwards shows a later time. */
    private void handOff() {
      if (lane == Lane.RENEWALS && strikes(FaultKind.PAUSED_IN_KEEPER)) {
        stall(World.SECOND / 2, 20 * World.SECOND);
      } else if (strikes(FaultKind.SENDING_BLOCKED)) {
        stall(World.MILLI, world.chance(0.7) ? World.SECOND / 2 : 4 * World.SECOND);
      }
    }

    private void stall(long least, long most) {
      process.pause(world.between(least, most));
      wrong();
    }

    private boolean strikes(FaultKind kind) {
      return world.strikes(kind, process.name(), () -> TraceText.of(batch));
    }

    /** Repeats a request; no caller waits for the answer. */
    private void applyAgain() {
      if (!storeSide.storeFaults().isDown()) {
        storeSide.carrier().carryOut(new Carrier.Batch(lane, batch, true), outcomes -> {});
      }
    }

    private void arrive() {
      if (storeSide.storeFaults().isDown()) {
        wrong();
        if (world.chance(0.5)) {
          fail("the store cannot be reached");
        }
      } else if (lane == Lane.COMMANDS && process.commandsHangNanos() > 0) {
        wrong();
        world.after(process.commandsHangNanos() + world.latency(), this::arrive);
      } else if (lane == Lane.RENEWALS && hangs()) {
        world.trace("store", () -> "hangs on " + TraceText.of(batch));
      } else if (storeSide.storeFaults().isFailing() && world.chance(0.6)) {
        wrong();
        world.fault(FaultKind.BATCH_FAILED, "store", () -> TraceText.of(batch));
        if (world.chance(0.5)) {
          carryOut(outcomes -> {});
        }
        fail("the store failed");
      } else {
        carryOut(this::answer);
      }
    }

    private boolean hangs() {
      Optional<Command> cause =
          batch.stream().filter(c -> storeSide.storeFaults().hangsRenewalsOf(c.key())).findFirst();
      for (Command command : cause.isPresent() ? batch : List.<Command>of()) {
        if (command.equals(cause.get())) {
          storeSide.judge().wentWrong(process, lane, command, sent.nanos());
        } else {
          storeSide.judge().hung(process, command, sent.nanos(), cause.get());
        }
      }
      return cause.isPresent();
    }

    /** Carries out the batch, except single commands that fail on the way there or back. */
    private void carryOut(Consumer<List<Outcome>> then) {
      List<Integer> carried = new ArrayList<>();
      Map<Integer, Outcome> failed = new TreeMap<>();
      for (int i = 0; i < batch.size(); i++) {
        if (!strikes(FaultKind.COMMAND_FAILED) || isCarriedOutThough(i, failed)) {
          carried.add(i);
        }
      }
      boolean late = world.now() - sent.nanos() > ContentionState.TIMEOUT;
      Carrier.Batch rest = new Carrier.Batch(lane, carried.stream().map(batch::get).toList(), late);
      if (carried.isEmpty()) {
        then.accept(List.copyOf(failed.values()));
        return;
      }
      storeSide
          .carrier()
          .carryOut(
              rest,
              outcomes -> {
                Map<Integer, Outcome> all = new TreeMap<>();
                for (int k = 0; k < carried.size(); k++) {
                  all.put(carried.get(k), outcomes.get(k));
                }
                all.putAll(failed);
                then.accept(List.copyOf(all.values()));
              });
    }

    /** Whether a command that is answered Failed was carried out all the same. */
    private boolean isCarriedOutThough(int index, Map<Integer, Outcome> failed) {
      storeSide.judge().wentWrong(process, lane, batch.get(index), sent.nanos());
      int draw = world.random().nextInt(3);
      failed.put(
          index,
          draw == 0
              ? new Outcome.Failed(Certainty.NOT_APPLIED, "could not be carried out")
              : new Outcome.Failed(Certainty.UNKNOWN, "may have been carried out"));
      return draw == 1;
    }

    private void answer(List<Outcome> outcomes) {
      long delay = world.latency();
      if (strikes(FaultKind.REPLY_LOST)) {
        wrong();
        return;
      }
      if (strikes(FaultKind.REPLY_LATE)) {
        wrong();
        delay += world.between(World.SECOND / 10, world.chance(0.5) ? World.SECOND : LONGEST_DELAY);
      } else if (storeSide.storeFaults().isSlow()) {
        wrong();
        delay += world.between(World.SECOND / 10, 4 * World.SECOND);
      }
      process.after(delay, () -> take(outcomes));
    }

    private void take(List<Outcome> outcomes) {
      world.trace(process.name(), () -> "is told " + TraceText.of(batch, outcomes));
      for (int i = 0; i < outcomes.size(); i++) {
        calls.get(i).returned(Result.of(outcomes.get(i)));
        storeSide.judge().answered(process, sent, batch.get(i), outcomes.get(i));
      }
      boolean unused = reply.complete(outcomes);
      process.turn(() -> storeSide.judge().taken(process));
    }

    private void fail(String why) {
      process.after(
          world.latency(),
          () -> {
            world.trace(process.name(), () -> "is told: " + why);
            told(new Outcome.Failed(Certainty.UNKNOWN, why));
            boolean unused = reply.completeExceptionally(new IllegalStateException(why));
          });
    }

    private void told(Outcome failed) {
      for (int i = 0; i < batch.size(); i++) {
        calls.get(i).returned(Result.of(failed));
        storeSide.judge().answered(process, sent, batch.get(i), failed);
      }
    }
  }
}
