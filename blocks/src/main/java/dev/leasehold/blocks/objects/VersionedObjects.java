package dev.leasehold.blocks.objects;

import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Objects of a store, for any number of threads. One is enough for a process: what its callers have
 * in flight goes to the store in a few batches.
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
 * did not. Conflicts and refusals are outcomes.
 */
public final class VersionedObjects {
  /** Each is one attempt more after a conflict with somebody else's write. */
  public static final int ATTEMPTS = 20;

  /** What waits while the store is slow has a bound; beyond it calls fail at once. */
  private static final long WAITING_BYTES = 64L << 20;

  private static final Gathering.Limits WRITES =
      new Gathering.Limits(2, 500, 4 << 20, WAITING_BYTES);
  private static final Gathering.Limits READS =
      new Gathering.Limits(2, 64, 64L << 20, WAITING_BYTES);
  private static final String TOO_MUCH = "too much waits for the store already";

  /** How often a write is sent again that nobody has answered, in an update. */
  private static final int RESENDS = 2;

  private final ObjectStore store;
  private final Gatherer<ObjectName, ObjectCommand, ObjectOutcome> writes;
  private final Gatherer<Object, ObjectName, Optional<VersionedObject>> reads;
  private final Supplier<Optional<Claim>> claim;

  private VersionedObjects(ObjectStore store) {
    this.store = store;
    this.writes = new Gatherer<>(WRITES, store::apply, VersionedObjects::tooManyWrites);
    this.reads = new Gatherer<>(READS, store::read, VersionedObjects::tooManyReads);
    this.claim = Optional::empty;
  }

  private VersionedObjects(VersionedObjects objects, Supplier<Optional<Claim>> claim) {
    this.store = objects.store;
    this.writes = objects.writes;
    this.reads = objects.reads;
    this.claim = claim;
  }

  private static CompletableFuture<ObjectOutcome> tooManyWrites() {
    return CompletableFuture.completedFuture(
        new ObjectOutcome.Failed(Certainty.NOT_APPLIED, TOO_MUCH));
  }

  private static CompletableFuture<Optional<VersionedObject>> tooManyReads() {
    return CompletableFuture.failedFuture(
        new ObjectsUnavailableException(Certainty.NOT_APPLIED, TOO_MUCH));
  }

  public static VersionedObjects on(ObjectStore store) {
    return new VersionedObjects(store);
  }

  /**
   * The same objects, written under a lease of this process: each write takes effect only if its
   * grant is current when it is committed.
   *
   * @return what throws {@link dev.leasehold.kernel.LeaseLostException} on writes once it is over
   */
  public VersionedObjects under(Lease lease) {
    return new VersionedObjects(
        this,
        () -> {
          lease.ensureHeld();
          return Optional.of(lease.claim());
        });
  }

  /** The same for a claim that somebody has brought. */
  public VersionedObjects under(Claim newClaim) {
    return new VersionedObjects(this, () -> Optional.of(newClaim));
  }

  /** What is there, if anything. */
  public Optional<VersionedObject> get(ObjectName name) {
    return await(getLater(name));
  }

  /** The same without waiting; whoever cancels its future withdraws it, if it was not sent. */
  public CompletionStage<Optional<VersionedObject>> getLater(ObjectName name) {
    return reads.call(new Object(), name, 0);
  }

  /** Objects of a type by their ids, a page at a time. */
  public ObjectPage list(ObjectQuery query) {
    return await(store.list(query));
  }

  /** Writes whatever was there before. */
  public ObjectOutcome.OfPut put(ObjectName name, Payload payload) {
    return put(name, payload, Expectation.ANYTHING);
  }

  /** Writes if there is no such object. */
  public ObjectOutcome.OfPut create(ObjectName name, Payload payload) {
    return put(name, payload, Expectation.ABSENCE);
  }

  /** Compares and sets. */
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

  /** Deletes whatever is there. */
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

  /** Reads, edits and writes, again if somebody else came between, up to {@link #ATTEMPTS}. */
  public Update update(ObjectName name, Update.Edit edit) {
    return update(name, edit, ATTEMPTS);
  }

  /**
   * The same with as many attempts as given. A write whose answer is lost is sent again under its
   * request id, so that it is never made twice; if what is said then leaves open that the first
   * copy arrives later, this throws {@link ObjectsUnavailableException}, and nobody knows.
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
        if (settles(command, outcome)) {
          return outcome;
        }
      } catch (ObjectsUnavailableException e) {
        unanswered.addSuppressed(e);
      }
    }
    throw unanswered;
  }

  /**
   * Whether an earlier copy of the command, which may still arrive, can do nothing any more: it was
   * carried out, or the version that it expects is gone for ever. What is absent, bound or refused
   * now may be otherwise by then.
   */
  private static boolean settles(ObjectCommand command, ObjectOutcome outcome) {
    return switch (outcome) {
      case ObjectOutcome.Written written -> true;
      case ObjectOutcome.Conflict conflict ->
          command.expected() instanceof Expectation.At at
              && conflict.current().filter(now -> now.isAbove(at.version())).isPresent();
      default -> false;
    };
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
   * Sends a command as it is, for whoever brings request ids of his own; it is not put under this
   * one's lease. Whoever cancels its future withdraws the command: it never takes effect, unless it
   * was on its way already, of which nobody tells.
   */
  public CompletionStage<ObjectOutcome> apply(ObjectCommand command) {
    long bytes = command instanceof ObjectCommand.Put put ? put.payload().size() : 0;
    return writes.call(command.name(), command, bytes);
  }

  /**
   * From now on writes of these objects must bring the key's current token, whoever makes them.
   *
   * @return to which key they were bound before
   */
  public Optional<LeaseKey> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return await(store.bind(scope, key, by));
  }

  /** Takes a binding away, and says to which key it was. */
  public Optional<LeaseKey> unbind(ObjectScope scope) {
    return await(store.unbind(scope));
  }

  /** Bindings of a type and of its objects, a page at a time. */
  public List<Binding> bindings(ObjectQuery query) {
    return await(store.bindings(query));
  }

  /** Tells of changes to objects of a type, until it is closed. */
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
