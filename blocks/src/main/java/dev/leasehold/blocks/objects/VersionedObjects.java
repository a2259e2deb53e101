package dev.leasehold.blocks.objects;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.blocks.BlockCalls;
import dev.leasehold.kernel.blocks.StoreUnavailableException;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.wires.SharedCalls;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

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
 * <p>Calls block until the store has answered, and throw {@link StoreUnavailableException} if it
 * does not. Conflicts and refusals are outcomes.
 */
public final class VersionedObjects {
  /** Each conflict with another writer costs one more attempt. */
  public static final int ATTEMPTS = 20;

  private final ObjectStore store;
  private final BlockCalls<ObjectName, ObjectCommand, ObjectOutcome, Optional<VersionedObject>>
      calls;

  private VersionedObjects(
      ObjectStore store,
      BlockCalls<ObjectName, ObjectCommand, ObjectOutcome, Optional<VersionedObject>> calls) {
    this.store = store;
    this.calls = calls;
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
    return on(store, SharedCalls.Time.system());
  }

  static VersionedObjects on(ObjectStore store, SharedCalls.Time time) {
    return new VersionedObjects(
        store, BlockCalls.to(ObjectCommand.KIND, store::apply, store::read, time));
  }

  /**
   * The same objects, written under a lease of this process: each write takes effect only if its
   * grant is current when it is committed.
   *
   * @return objects whose writes throw {@link dev.leasehold.kernel.LeaseLostException} once it is
   *     over
   */
  public VersionedObjects under(Lease lease) {
    return new VersionedObjects(store, calls.under(lease));
  }

  /** The same for a claim that the caller has received. */
  public VersionedObjects under(Claim claim) {
    return new VersionedObjects(store, calls.under(claim));
  }

  /**
   * The same objects; the observer is told of each write that was refused for its token, or for
   * bringing none. {@code Leases.observer()} stands for the observers of a process, which so get
   * these events in one order with those of its leases.
   */
  public VersionedObjects observer(LeaseObserver observer) {
    return new VersionedObjects(store, calls.observer(observer));
  }

  /** The object, if there is one. */
  public Optional<VersionedObject> get(ObjectName name) {
    return BlockCalls.await(getLater(name));
  }

  /** The same without blocking. Cancelling the future withdraws a read that was not sent. */
  public CompletionStage<Optional<VersionedObject>> getLater(ObjectName name) {
    return calls.read(name);
  }

  /** Objects of a type by their ids, a page at a time. */
  public ObjectPage list(ObjectQuery query) {
    return BlockCalls.await(store.list(query));
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
    return calls.outcome(putting(name, payload, expected), ObjectOutcome.OfPut.class);
  }

  private ObjectCommand putting(ObjectName name, Payload payload, Expectation expected) {
    return new ObjectCommand.Put(name, payload, expected, calls.claim(), RequestId.random());
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
    return calls.outcome(
        new ObjectCommand.Delete(name, expected, calls.claim(), RequestId.random()),
        ObjectOutcome.OfDelete.class);
  }

  /** Reads, edits and writes; repeated after a conflict, up to {@link #ATTEMPTS} times. */
  public Update update(ObjectName name, Update.Edit edit) {
    return update(name, edit, ATTEMPTS);
  }

  /**
   * The same with this number of attempts. A write without an answer is sent again under its
   * request id, so that it never takes effect twice. If the last answer leaves open that the first
   * copy may still arrive, this throws {@link StoreUnavailableException}: the outcome is unknown.
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
      ObjectOutcome.OfPut outcome =
          calls.outcomeOfResent(putting(name, payload, expected), ObjectOutcome.OfPut.class);
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

  /**
   * Sends a command unchanged, for a caller with request ids of its own; it is not put under this
   * object's lease. A caller that cancels the future withdraws the command: it never takes effect,
   * unless it was sent already, and then the caller does not learn the outcome.
   */
  public CompletionStage<ObjectOutcome> apply(ObjectCommand command) {
    return calls.apply(command);
  }

  /**
   * From now on every writer of these objects must bring the key's current token.
   *
   * @return the key that they were bound to before
   */
  public Optional<LeaseKey> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return BlockCalls.await(store.bind(scope, key, by));
  }

  /** Removes a binding, and returns its key. */
  public Optional<LeaseKey> unbind(ObjectScope scope) {
    return BlockCalls.await(store.unbind(scope));
  }

  /** Bindings of a type and of its objects, a page at a time. */
  public List<Binding> bindings(ObjectQuery query) {
    return BlockCalls.await(store.bindings(query));
  }

  /** Reports changes to objects of a type, until it is closed. */
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    ObjectName.requireType(type);
    return store.watch(type, listener);
  }
}
