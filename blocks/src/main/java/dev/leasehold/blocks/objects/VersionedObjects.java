package dev.leasehold.blocks.objects;

import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseObserver;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.wires.SharedCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The objects of a store, for any number of threads. A process needs only one of these: the
 * commands of all its callers share a few batches.
 *
 * <pre>{@code
 * VersionedObjects objects = VersionedObjects.on(store.objects());
 * ObjectName name = ObjectName.of("sandbox", "a1");
 * switch (objects.create(name, Payload.ofText("new"))) {
 *   case ObjectOutcome.Written written -> ...
 *   case ObjectOutcome.Conflict conflict -> ...
 *   case ObjectOutcome.Refused refused -> ...
 *   case ObjectOutcome.Bound bound -> ...
 * }
 * }</pre>
 *
 * <p>Calls block until the store has answered, and throw {@link ObjectsUnavailableException} if it
 * does not. Conflicts and refusals are outcomes.
 */
public final class VersionedObjects {
  /** Each conflict with another writer costs one more attempt. */
  public static final int ATTEMPTS = 20;

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

  /** How often an update sends a write again that got no answer. */
  private static final int RESENDS = 2;

  private final ObjectStore store;
  private final SharedCalls<ObjectName, ObjectCommand, ObjectOutcome> writes;
  private final SharedCalls<ObjectName, ObjectName, ReadOutcome> reads;
  private final Supplier<Optional<Claim>> claim;
  private final LeaseObserver observer;

  private VersionedObjects(ObjectStore store) {
    this.store = store;
    SharedCalls.Time time = SharedCalls.Time.system();
    this.writes = new SharedCalls<>(ObjectCommand.KIND, WRITES, store::apply, time);
    this.reads = new SharedCalls<>(ReadOutcome.KIND, READS, this::read, time);
    this.claim = Optional::empty;
    this.observer = LeaseObserver.NONE;
  }

  private VersionedObjects(
      VersionedObjects objects, Supplier<Optional<Claim>> claim, LeaseObserver observer) {
    this.store = objects.store;
    this.writes = objects.writes;
    this.reads = objects.reads;
    this.claim = claim;
    this.observer = observer;
  }

  private CompletionStage<List<ReadOutcome>> read(List<ObjectName> names) {
    return store
        .read(names)
        .thenApply(objects -> objects.stream().<ReadOutcome>map(ReadOutcome.Found::new).toList());
  }

  /**
   * Opens the objects of a store.
   *
   * @throws dev.leasehold.fence.IllFormedException if the store has none
   */
  public static VersionedObjects on(Store store) {
    return on(store.require(ObjectStore.class, "objects"));
  }

  public static VersionedObjects on(ObjectStore store) {
    return new VersionedObjects(store);
  }

  /**
   * The same objects, written under a lease of this process: each write takes effect only if its
   * grant is current when it is committed.
   *
   * @return objects whose writes throw {@link dev.leasehold.kernel.LeaseLostException} once it is
   *     over
   */
  public VersionedObjects under(Lease lease) {
    return new VersionedObjects(
        this,
        () -> {
          lease.ensureHeld();
          return Optional.of(lease.claim());
        },
        observer);
  }

  /** The same for a claim that the caller has received. */
  public VersionedObjects under(Claim newClaim) {
    return new VersionedObjects(this, () -> Optional.of(newClaim), observer);
  }

  /**
   * The same objects; the observer is told of each write that was refused for its token, or for
   * bringing none. {@code Leases.observer()} stands for the observers of a process, which so get
   * these events in one order with those of its leases.
   */
  public VersionedObjects observer(LeaseObserver newObserver) {
    return new VersionedObjects(
        this, claim, ObserverDispatch.to(newObserver, Thread::startVirtualThread));
  }

  /** The object, if there is one. */
  public Optional<VersionedObject> get(ObjectName name) {
    return await(getLater(name));
  }

  /** The same without blocking. Cancelling the future withdraws a read that was not sent. */
  public CompletionStage<Optional<VersionedObject>> getLater(ObjectName name) {
    return reads.call(name, ReadOutcome::orThrow);
  }

  /** Objects of a type by their ids, a page at a time. */
  public ObjectPage list(ObjectQuery query) {
    return await(store.list(query));
  }

  /** Writes the object, in any state. */
  public ObjectOutcome.OfPut put(ObjectName name, Payload payload) {
    return put(name, payload, Expectation.ANYTHING);
  }

  /** Writes the object if it does not exist. */
  public ObjectOutcome.OfPut create(ObjectName name, Payload payload) {
    return put(name, payload, Expectation.ABSENCE);
  }

  /** Writes the object if it is at this version. */
  public ObjectOutcome.OfPut replace(ObjectName name, Version version, Payload payload) {
    return put(name, payload, Expectation.at(version));
  }

  public ObjectOutcome.OfPut put(ObjectName name, Payload payload, Expectation expected) {
    return ofPut(outcome(putting(name, payload, expected)));
  }

  private ObjectCommand putting(ObjectName name, Payload payload, Expectation expected) {
    return new ObjectCommand.Put(name, payload, expected, claim.get(), RequestId.random());
  }

  private static ObjectOutcome.OfPut ofPut(ObjectOutcome outcome) {
    return switch (outcome) {
      case ObjectOutcome.OfPut ofPut -> ofPut;
      default -> throw notOf(outcome);
    };
  }

  /** Deletes the object, in any state. */
  public ObjectOutcome.OfDelete delete(ObjectName name) {
    return delete(name, Expectation.ANYTHING);
  }

  /** Deletes the object if it is at this version. */
  public ObjectOutcome.OfDelete delete(ObjectName name, Version version) {
    return delete(name, Expectation.at(version));
  }

  private ObjectOutcome.OfDelete delete(ObjectName name, Expectation expected) {
    ObjectOutcome outcome =
        outcome(new ObjectCommand.Delete(name, expected, claim.get(), RequestId.random()));
    return switch (outcome) {
      case ObjectOutcome.OfDelete ofDelete -> ofDelete;
      default -> throw notOf(outcome);
    };
  }

  /** Reads, edits and writes; repeated after a conflict, up to {@link #ATTEMPTS} times. */
  public Update update(ObjectName name, Update.Edit edit) {
    return update(name, edit, ATTEMPTS);
  }

  /**
   * The same with this number of attempts. A write without an answer is sent again under its
   * request id, so that it never takes effect twice. If the last answer leaves open that the first
   * copy may still arrive, this throws {@link ObjectsUnavailableException}: the outcome is unknown.
   */
  public Update update(ObjectName name, Update.Edit edit, int attempts) {
    if (attempts < 1) {
      throw new IllFormedException("an update needs 1 attempt or more, not " + attempts);
    }
    Optional<Version> last = Optional.empty();
    for (int attempt = 0; attempt < attempts; attempt++) {
      Optional<VersionedObject> current = get(name);
      Payload payload = edit.make(current);
      Expectation expected =
          current
              .<Expectation>map(found -> Expectation.at(found.version()))
              .orElse(Expectation.ABSENCE);
      ObjectOutcome.OfPut outcome = ofPut(delivered(putting(name, payload, expected)));
      switch (outcome) {
        case ObjectOutcome.Written written -> {
          return new Update.Made(written.version(), payload);
        }
        case ObjectOutcome.Conflict conflict -> last = conflict.current();
        case ObjectOutcome.Refused refused -> {
          return new Update.NotAllowed(refused);
        }
        case ObjectOutcome.Bound bound -> {
          return new Update.NotAllowed(bound);
        }
      }
    }
    return new Update.Exhausted(attempts, last);
  }

  private ObjectOutcome delivered(ObjectCommand command) {
    try {
      return outcome(command);
    } catch (ObjectsUnavailableException e) {
      if (e.certainty() == Certainty.NOT_APPLIED) {
        throw e;
      }
      return sentAgain(command, e);
    }
  }

  private ObjectOutcome sentAgain(ObjectCommand command, ObjectsUnavailableException unanswered) {
    for (int resends = 0; resends < RESENDS; resends++) {
      try {
        ObjectOutcome outcome = outcome(command);
        if (outcome.isFinal(command.expected())) {
          return outcome;
        }
      } catch (ObjectsUnavailableException e) {
        unanswered.addSuppressed(e);
      }
    }
    throw unanswered;
  }

  private ObjectOutcome outcome(ObjectCommand command) {
    ObjectOutcome outcome = await(apply(command));
    return switch (outcome) {
      case ObjectOutcome.Failed failed ->
          throw new ObjectsUnavailableException(failed.certainty(), failed.detail());
      case ObjectOutcome.Rejected rejected ->
          throw new ObjectsUnavailableException(Certainty.NOT_APPLIED, rejected.why());
      default -> outcome;
    };
  }

  /**
   * Sends a command unchanged, for a caller with request ids of its own; it is not put under this
   * object's lease. A caller that cancels the future withdraws the command: it never takes effect,
   * unless it was sent already, and then the caller does not learn the outcome.
   */
  public CompletionStage<ObjectOutcome> apply(ObjectCommand command) {
    return writes.call(
        command,
        outcome -> {
          command.refusal(outcome).ifPresent(observer::observed);
          return outcome;
        });
  }

  /**
   * From now on every writer of these objects must bring the key's current token.
   *
   * @return the key that they were bound to before
   */
  public Optional<LeaseKey> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return await(store.bind(scope, key, by));
  }

  /** Removes a binding, and returns its key. */
  public Optional<LeaseKey> unbind(ObjectScope scope) {
    return await(store.unbind(scope));
  }

  /** Bindings of a type and of its objects, a page at a time. */
  public List<Binding> bindings(ObjectQuery query) {
    return await(store.bindings(query));
  }

  /** Reports changes to objects of a type, until it is closed. */
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    ObjectName.requireType(type);
    return store.watch(type, listener);
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ObjectsUnavailableException unavailable) {
        throw unavailable;
      }
      throw new ObjectsUnavailableException(
          Certainty.UNKNOWN, e.getCause() == null ? e : e.getCause());
    }
  }

  private static IllegalStateException notOf(ObjectOutcome outcome) {
    return new IllegalStateException("the store answered with " + outcome);
  }
}
