package dev.leasehold.blocks.objects.spi;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Stores objects together with the leases, so that a write and the check of its token are one
 * transaction. Every method returns at once. Every stage may complete exceptionally if the store
 * cannot be reached; for {@link #apply} that means that the outcome of each command is unknown.
 */
public interface ObjectStore {
  /**
   * Carries out a batch and answers each command, in order. A batch is not a transaction: each
   * command stands alone, and one that fails does not spoil its neighbours. Commands on one object
   * take effect in the order given.
   */
  CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch);

  /** The object under each name, if any, in order. */
  CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names);

  CompletionStage<ObjectPage> list(ObjectQuery query);

  /**
   * From now on writes of these objects must bring the key's current token. When the stage
   * completes, no other write is in progress any more. An existing binding is replaced.
   *
   * @return the key that they were bound to before
   */
  CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by);

  /** Removes a binding, and returns its key. */
  CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope);

  /** Bindings of a type and of its objects: that of the whole type first, then by id. */
  CompletionStage<List<Binding>> bindings(ObjectQuery query);

  /** Reports changes to objects of a type, as hints. */
  Subscription watch(String type, ChangeListener<ObjectChange> listener);

  /**
   * Purges up to a number of objects that have been deleted for the query's time, and for longer
   * than requests are remembered. A store also does so by itself.
   */
  CompletionStage<PurgeReport> purge(PurgeQuery query);
}
