package dev.leasehold.testkit.objects;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Another store, as it is. */
class ForwardingObjects implements ObjectStore {
  final ObjectStore sound;

  ForwardingObjects(ObjectStore sound) {
    this.sound = sound;
  }

  @Override
  public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
    return sound.apply(batch);
  }

  @Override
  public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
    return sound.read(names);
  }

  @Override
  public CompletionStage<ObjectPage> list(ObjectQuery query) {
    return sound.list(query);
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return sound.bind(scope, key, by);
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    return sound.unbind(scope);
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    return sound.bindings(query);
  }

  @Override
  public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
    return sound.watch(type, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return sound.purge(query);
  }
}
