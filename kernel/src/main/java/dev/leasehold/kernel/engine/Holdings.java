package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * All that one process holds and wants: the state machines, wired. Every method is called in turns,
 * as every event is.
 */
public final class Holdings {
  /** How long a caller that does not wait for the key waits for the store. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(5).toNanos();

  private final Environment environment;
  private final Function<LeaseKey, Subscription> watch;
  private final Gatherer gatherer;
  private final Delivery delivery;
  private final Keeper keeper;
  private final Witness witness = new Witness();
  private final Map<LeaseKey, Contention> contentions = new HashMap<>();
  private final Set<Contender> contenders = new LinkedHashSet<>();
  private Optional<Shutdown> shutdown = Optional.empty();

  /** The wires of a process: renewals have one that nothing else can block. */
  public record Wires(Wire commands, Wire renewals, Function<LeaseKey, Subscription> watch) {}

  public Holdings(Wires wires, Environment environment) {
    this.environment = environment;
    this.watch = wires.watch();
    this.gatherer = new Gatherer(wires.commands(), environment, ANSWER_NANOS);
    this.delivery = new Delivery(gatherer, environment);
    this.keeper = new Keeper(wires.renewals(), environment, this::lost);
  }

  Environment environment() {
    return environment;
  }

  Gatherer gatherer() {
    return gatherer;
  }

  /**
   * From the given clock and generator, so that a simulation gets the same ones again. The time
   * comes first: a store that looks requests up finds those of one process side by side, and adds
   * them to few pages of its index instead of one page each.
   */
  RequestId newRequestId() {
    HexFormat hex = HexFormat.of();
    return new RequestId(
        hex.toHexDigits(environment.now()) + hex.toHexDigits(environment.random().nextLong()));
  }

  /** A caller that has asked, and can leave. */
  public interface Ticket {
    void cancel();
  }

  /** Asks once, and waits only for the answer. */
  public Ticket tryAcquire(Wanted wanted, Verdict.Taker taker, HeldLease.Listener listener) {
    Contender contender =
        new Contender(
            this,
            wanted,
            new Contender.Patience(false, ANSWER_NANOS),
            new Contender.Caller(taker, listener));
    return begin(contender, contender::ask);
  }

  /** Waits for its turn, up to this time. */
  public Ticket acquire(
      Wanted wanted, long waitNanos, Verdict.Taker taker, HeldLease.Listener listener) {
    Contender contender =
        new Contender(
            this,
            wanted,
            new Contender.Patience(true, waitNanos),
            new Contender.Caller(taker, listener));
    return begin(contender, () -> contentionFor(wanted.key()).join(contender));
  }

  private Ticket begin(Contender contender, Runnable entry) {
    contenders.add(contender);
    if (shutdown.isPresent()) {
      contender.cancel();
    } else if (witness.doubt().isPresent()) {
      contender.end(unsafe());
    } else {
      contender.start();
      entry.run();
    }
    return contender::cancel;
  }

  /** Whether nobody is to ask for anything any more. */
  boolean isClosed() {
    return shutdown.isPresent() || witness.doubt().isPresent();
  }

  private Contention contentionFor(LeaseKey key) {
    return contentions.computeIfAbsent(key, k -> new Contention(environment, watch.apply(k)));
  }

  void contenderLeft(Contender contender) {
    contenders.remove(contender);
    LeaseKey key = contender.wanted().key();
    Contention contention = contentions.get(key);
    if (contention != null) {
      contention.leave(contender);
      if (contention.isEmpty()) {
        contentions.remove(key);
        contention.close();
      }
    }
  }

  void heard(Contender contender, Verdict verdict) {
    contentionOf(contender).ifPresent(contention -> contention.heard(contender, verdict));
  }

  Optional<Verdict> lastHeard(Contender contender) {
    return contentionOf(contender).flatMap(Contention::lastHeard);
  }

  private Optional<Contention> contentionOf(Contender contender) {
    return contender.waits() ? contentionOf(contender.wanted().key()) : Optional.empty();
  }

  private Optional<Contention> contentionOf(LeaseKey key) {
    return Optional.ofNullable(contentions.get(key));
  }

  /** Something may have happened to a key: whoever waits for it may ask. */
  public void hint(LeaseKey key) {
    contentionOf(key).ifPresent(Contention::hint);
  }

  /** This happened to a key, as far as is heard; not always all of it, nor in order. */
  public void changed(LeaseChange change) {
    Optional<Contention> contention = contentionOf(change.key());
    switch (change.kind()) {
      case RELEASED, EXPIRED, REVOKED -> contention.ifPresent(c -> c.over(change.token()));
      case GRANTED -> contention.ifPresent(c -> c.granted(change.token()));
      case SUPERSEDED -> contention.ifPresent(c -> c.superseded(change.token()));
    }
  }

  /** A grant that was heard of in time; unless it shows that the store has lost writes. */
  Verdict won(HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    witness.sawGrant(claimed.key(), claimed.token());
    return keep(claimed, trustUntilNanos, listener);
  }

  /** The same for what was handed over; but nobody holds a grant twice. */
  Verdict inherited(HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    Token token = claimed.token();
    if (keeper.trusted(claimed.key()).filter(held -> held.token().equals(token)).isPresent()) {
      return new Verdict.Rejected(claimed.key() + " under " + token + " is held here already");
    }
    witness.sawInheritance(claimed.key(), token);
    return keep(claimed, trustUntilNanos, listener);
  }

  private Verdict keep(
      HeldLease.Claimed claimed, long trustUntilNanos, HeldLease.Listener listener) {
    if (witness.doubt().isPresent()) {
      stopUsingTheStore();
      return unsafe();
    }
    HeldLease lease = new HeldLease(claimed, environment.now(), trustUntilNanos, listener);
    keeper.keep(lease);
    return new Verdict.Won(lease);
  }

  private void lost(HeldLease lease, LossReason reason) {
    switch (reason) {
      case LossReason.Unknown unknown ->
          sawUnknown(grantOf(lease), unknown, lease.trustUntilNanos());
      case LossReason.Broken broken -> Invariants.report(lease.key(), broken.what());
      default -> {}
    }
    hint(lease.key());
  }

  private static Witness.Grant grantOf(HeldLease lease) {
    return new Witness.Grant(lease.key(), lease.token());
  }

  /**
   * The store does not know what it granted, and what was trusted until then. That lease is lost;
   * the others too, if the store shows that it has lost writes.
   */
  void sawUnknown(Witness.Grant grant, LossReason.Unknown unknown, long trustedUntilNanos) {
    witness.sawUnknown(grant, unknown, environment.now() - trustedUntilNanos);
    if (witness.doubt().isPresent()) {
      stopUsingTheStore();
    }
  }

  /**
   * Whoever waits is told why, and so is whoever holds: a store that has lost writes may have given
   * the same to others, and what it says of a renewal is worth nothing.
   */
  private void stopUsingTheStore() {
    List.copyOf(contenders).forEach(contender -> contender.end(unsafe()));
    keeper.loseAll(new LossReason.Broken(witness.doubt().orElseThrow()));
  }

  private Verdict unsafe() {
    return new Verdict.Unsafe(witness.doubt().orElseThrow());
  }

  /**
   * Takes over what was handed over to this instance. Nothing is trusted before the heir's own
   * first renewal.
   */
  public void inherit(
      Wanted wanted, Token token, Verdict.Taker taker, HeldLease.Listener listener) {
    if (isClosed()) {
      taker.take(shutdown.isPresent() ? new Verdict.Cancelled() : unsafe());
      return;
    }
    new Inheritance(this, wanted, token, new Contender.Caller(taker, listener)).ask(ANSWER_NANOS);
  }

  /**
   * Whether a grant of this process is one that it has, had or is about to give back; any other was
   * handed over to it.
   */
  boolean isKnown(LeaseKey key, Token token) {
    return witness.hasSeen(key, token) || delivery.isUnderWay(key);
  }

  Delivery delivery() {
    return delivery;
  }

  boolean isShuttingDown() {
    return shutdown.isPresent();
  }

  /**
   * Gives a lease back, once its work has ended. It is not trusted from here on, and whoever waits
   * for it here is next.
   */
  public void release(HeldLease lease, Answer.Taker taker) {
    stopKeeping(lease);
    if (isOurs(lease, taker)) {
      giveBack(lease, taker);
    }
    shutdown.ifPresent(ending -> ending.closed(lease));
  }

  /**
   * Gives a lease up, but keeps the key from others for so long: it is not renewed any more, and
   * given back then. A process that has ended by then leaves it to run out, and the store keeps it
   * from others for that long.
   */
  public LossReason releaseAfter(long keptNanos, HeldLease lease) {
    stopKeeping(lease);
    environment.after(
        keptNanos,
        () -> {
          if (shutdown.isEmpty()) {
            release(lease, answer -> {});
          }
        });
    shutdown.ifPresent(ending -> ending.closed(lease));
    return lease.over().orElseThrow();
  }

  private void giveBack(HeldLease lease, Answer.Taker taker) {
    Command release =
        new Command.Release(lease.key(), lease.token(), lease.instance(), newRequestId());
    delivery.deliver(
        release,
        lease.keptNanos(environment.now()),
        answer -> {
          if (answer.outcome() instanceof Outcome.Lost(LossReason.Unknown unknown)) {
            sawUnknown(grantOf(lease), unknown, lease.trustUntilNanos());
          }
          taker.take(answer);
        });
    contentionOf(lease.key()).ifPresent(contention -> contention.passOn(lease.token()));
  }

  /**
   * Whether it is the holder's to give, else says why it is not. One that was lost without a word
   * of the store may still be on record: now that its work has ended, the store is told, but nobody
   * waits for that.
   */
  private boolean isOurs(HeldLease lease, Answer.Taker taker) {
    boolean owed = lease.takeOwed() && witness.doubt().isEmpty();
    LossReason reason = lease.over().orElseThrow();
    boolean ours = owed && reason instanceof LossReason.Released;
    if (owed && !ours) {
      giveBack(lease, answer -> {});
    }
    if (!ours) {
      taker.take(new Answer(new Outcome.Lost(reason), environment.now()));
    }
    return ours;
  }

  /**
   * Passes a lease on. It is not trusted from here on, whatever the answer is; if the heir cannot
   * have it, it is given back.
   */
  public void handOver(HeldLease lease, Command.Heir heir, Answer.Taker taker) {
    stopKeeping(lease);
    if (isOurs(lease, taker)) {
      Command handOver =
          new Command.HandOver(lease.key(), lease.token(), lease.instance(), newRequestId(), heir);
      delivery.deliver(
          handOver, lease.keptNanos(environment.now()), answer -> handedOver(lease, answer, taker));
    }
    shutdown.ifPresent(ending -> ending.closed(lease));
  }

  /** An heir that cannot have it now leaves it to nobody: it is given back. */
  private void handedOver(HeldLease lease, Answer answer, Answer.Taker taker) {
    if (answer.outcome() instanceof Outcome.Closed) {
      giveBack(lease, released -> {});
    }
    taker.take(answer);
  }

  /**
   * Ends the work behind a lease as closing everything does: it is told to stop, after its grace
   * interrupted, and after as long again nobody waits for it. Until the interrupt the lease goes on
   * being kept, unless it was given up before.
   */
  public void windDown(HeldLease lease, Runnable graceOver, Runnable timeUp) {
    long grace = lease.timing().graceNanos();
    environment.after(
        grace,
        () -> {
          keeper.forget(lease);
          lease.stop();
          graceOver.run();
        });
    environment.after(2 * grace, timeUp);
    lease.tellEnding();
  }

  private void stopKeeping(HeldLease lease) {
    keeper.forget(lease);
    lease.giveUp();
  }

  /**
   * Ends everything in order: nobody waits any more, work is told to stop, then interrupted, and a
   * lease is given back only when its work has ended. What still runs after that keeps its lease
   * from others until it runs out.
   */
  public void shutDown(Runnable done) {
    if (shutdown.isPresent()) {
      shutdown.get().whenDone(done);
      return;
    }
    Shutdown ending = new Shutdown(environment, delivery, keeper);
    ending.whenDone(done);
    shutdown = Optional.of(ending);
    stopContending();
    ending.begin();
  }

  void abandon(Wanted wanted, RequestId requestId) {
    Command abandon = new Command.Abandon(wanted.key(), wanted.instance(), requestId);
    delivery.deliver(abandon, wanted.longestGrantNanos(), answer -> {});
  }

  /** Nobody waits any more, and what they may have been granted is given back. */
  private void stopContending() {
    List.copyOf(contenders).forEach(Contender::cancel);
  }

  public int heldCount() {
    return keeper.size();
  }
}
