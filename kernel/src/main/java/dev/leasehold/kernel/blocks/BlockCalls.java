package dev.leasehold.kernel.blocks;

import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.wires.SharedCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of a block's users to a store, for any number of threads: writes and reads share
 * batches, writes bring the claim that these calls stand under, and observers are told of refused
 * ones.
 *
 * @param <K> the place of a command, by which rows are read too
 * @param <C> a command
 * @param <O> its outcome
 * @param <V> what a read finds at a place
 */
public final class BlockCalls<K, C extends FencedCommand, O, V> {
  /** The most bytes that wait while the store is slow; beyond it calls fail at once. */
  private static final long WAITING_BYTES = 64L << 20;

  /** A store answers or fails much earlier; only one that hangs exhausts this. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final GatheringLimits WRITES =
      new GatheringLimits(
          new GatheringLimits.Batch(500, 4 << 20),
          GatheringLimits.Flight.of(2, 8),
          WAITING_BYTES,
          TIMEOUT);
  private static final GatheringLimits READS =
      new GatheringLimits(
          new GatheringLimits.Batch(64, Long.MAX_VALUE),
          GatheringLimits.Flight.of(2, 2),
          WAITING_BYTES,
          TIMEOUT);

  /** How often a write is sent again that got no answer. */
  private static final int RESENDS = 2;

  private final CommandKind<K, C, O> kind;
  private final SharedCalls<K, C, O> writes;
  private final SharedCalls<K, K, ReadOutcome<V>> reads;
  private final Supplier<Optional<Claim>> claim;
  private final LeaseObserver observer;

  private BlockCalls(
      CommandKind<K, C, O> kind,
      SharedCalls<K, C, O> writes,
      SharedCalls<K, K, ReadOutcome<V>> reads) {
    this.kind = kind;
    this.writes = writes;
    this.reads = reads;
    this.claim = Optional::empty;
    this.observer = LeaseObserver.NONE;
  }

  private BlockCalls(
      BlockCalls<K, C, O, V> calls, Supplier<Optional<Claim>> claim, LeaseObserver observer) {
    this.kind = calls.kind;
    this.writes = calls.writes;
    this.reads = calls.reads;
    this.claim = claim;
    this.observer = observer;
  }

  /** Calls to the two methods of a block's port that take batches. */
  public static <K, C extends FencedCommand, O, V> BlockCalls<K, C, O, V> to(
      CommandKind<K, C, O> kind,
      Function<List<C>, CompletionStage<List<O>>> apply,
      Function<List<K>, CompletionStage<List<V>>> read,
      SharedCalls.Time time) {
    return new BlockCalls<>(
        kind,
        new SharedCalls<>(kind, WRITES, apply, time),
        new SharedCalls<>(
            ReadOutcome.kind(),
            READS,
            places ->
                read.apply(places)
                    .thenApply(
                        found ->
                            found.stream().<ReadOutcome<V>>map(ReadOutcome.Found::new).toList()),
            time));
  }

  /**
   * The same calls under a lease of this process: {@link #claim()} throws {@link
   * dev.leasehold.kernel.LeaseLostException} once it is over.
   */
  public BlockCalls<K, C, O, V> under(Lease lease) {
    return new BlockCalls<>(
        this,
        () -> {
          lease.ensureHeld();
          return Optional.of(lease.claim());
        },
        observer);
  }

  /** The same calls under a claim that the caller has received. */
  public BlockCalls<K, C, O, V> under(Claim newClaim) {
    return new BlockCalls<>(this, () -> Optional.of(newClaim), observer);
  }

  /** The same calls; the observer is told of each write that was refused for its token. */
  public BlockCalls<K, C, O, V> observer(LeaseObserver newObserver) {
    return new BlockCalls<>(
        this, claim, ObserverDispatch.to(newObserver, Thread::startVirtualThread));
  }

  /** The claim that a new command brings. */
  public Optional<Claim> claim() {
    return claim.get();
  }

  /** Reads one place. Cancelling the future withdraws a read that was not sent. */
  public CompletionStage<V> read(K place) {
    return reads.call(place, ReadOutcome::orThrow);
  }

  /**
   * Sends a command unchanged. A caller that cancels the future withdraws the command: it never
   * takes effect, unless it was sent already, and then the caller does not learn the outcome.
   */
  public CompletionStage<O> apply(C command) {
    return writes.call(
        command,
        outcome -> {
          command.refusal(outcome).ifPresent(observer::observed);
          return outcome;
        });
  }

  /**
   * The outcome of a command, among those that its verb can have.
   *
   * @throws StoreUnavailableException if it failed, or was rejected
   */
  public <R> R outcome(C command, Class<R> ofVerb) {
    O outcome = await(apply(command));
    return switch (outcome) {
      case BlockOutcome.Failed failed ->
          throw new StoreUnavailableException(failed.certainty(), failed.detail());
      case BlockOutcome.Rejected rejected ->
          throw new StoreUnavailableException(Certainty.NOT_APPLIED, rejected.why());
      default -> {
        if (!ofVerb.isInstance(outcome)) {
          throw new IllegalStateException("the store answered with " + outcome);
        }
        yield ofVerb.cast(outcome);
      }
    };
  }

  /**
   * The same; a command without an answer is sent again, unchanged. If the last answer leaves open
   * that the first copy may still arrive, the outcome is unknown.
   */
  public <R extends O> R outcomeOfResent(C command, Class<R> ofVerb) {
    try {
      return outcome(command, ofVerb);
    } catch (StoreUnavailableException unanswered) {
      for (int i = 0; i < RESENDS && unanswered.certainty() == Certainty.UNKNOWN; i++) {
        try {
          R outcome = outcome(command, ofVerb);
          if (kind.isFinal(command, outcome)) {
            return outcome;
          }
        } catch (StoreUnavailableException e) {
          unanswered.addSuppressed(e);
        }
      }
      throw unanswered;
    }
  }

  /**
   * Blocks until the store has answered.
   *
   * @throws StoreUnavailableException if it does not
   */
  public static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreUnavailableException unavailable) {
        throw unavailable;
      }
      throw new StoreUnavailableException(
          Certainty.UNKNOWN, e.getCause() == null ? e : e.getCause());
    }
  }
}
