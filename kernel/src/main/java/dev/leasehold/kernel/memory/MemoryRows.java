package dev.leasehold.kernel.memory;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore.Moment;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.PurgeQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The rows of a block in memory, beside the leases: each step runs under the lock of the lease
 * store, and every returned stage is complete.
 *
 * @param <H> a change, as watchers are told of it
 */
public abstract class MemoryRows<C extends FencedCommand, O, H> {
  private final MemoryLeaseStore leases;
  private final ChangeFeed<H> feed;

  // Guarded by the lease store's lock, as the rows of subclasses are.
  private final Map<Integer, Token> floors = new HashMap<>();

  /** {@code concerns} tells whether a change belongs to a topic. */
  protected MemoryRows(MemoryLeaseStore leases, BiPredicate<H, String> concerns) {
    this.leases = leases;
    this.feed = new ChangeFeed<>(concerns);
  }

  /** Carries out a command within a step. Changes are told after it. */
  protected abstract O carryOut(C command, Admission admission, Moment moment, Consumer<H> changes);

  protected final <T> CompletionStage<T> inOneStep(Function<Moment, T> step) {
    try {
      return CompletableFuture.completedFuture(leases.atEffect(step));
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Carries out commands in order, in one step. */
  public final CompletionStage<List<O>> apply(List<C> batch) {
    List<H> changes = new ArrayList<>();
    CompletionStage<List<O>> outcomes =
        inOneStep(moment -> batch.stream().map(c -> carryOut(c, moment, changes::add)).toList());
    feed.tell(changes);
    return outcomes;
  }

  private O carryOut(C command, Moment moment, Consumer<H> changes) {
    Admission admission = command.claim().map(moment::admit).orElse(Admission.ADMITTED);
    return carryOut(command, admission, moment, changes);
  }

  public final Subscription watch(String topic, ChangeListener<H> listener) {
    return feed.add(topic, listener);
  }

  /** Requests from before this time are forgotten. */
  protected final long forgottenBefore(Moment moment) {
    return moment.nowMillis() - leases.limits().memoryMillis();
  }

  /** Rows that have been dead since this time may be purged. */
  protected final long deadBefore(Moment moment, PurgeQuery query) {
    return Math.min(forgottenBefore(moment), moment.nowMillis() - query.deadForMillis());
  }

  /** The number that the first one of a row without a record must be above. */
  protected final Token floor(String name, Moment moment) {
    Token ofIncarnation = Token.of(moment.incarnation(), 0);
    Token raised = floors.getOrDefault(Buckets.of(name), ofIncarnation);
    return raised.isAbove(ofIncarnation)
        ? raised
        : Token.of(moment.incarnation(), raised.counter());
  }

  /** Keeps the numbers of a purged row from being issued again. */
  protected final void raiseFloor(String name, long last) {
    floors.merge(Buckets.of(name), new Token(last), (a, b) -> a.isAbove(b) ? a : b);
  }
}
