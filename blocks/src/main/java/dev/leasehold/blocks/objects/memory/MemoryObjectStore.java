package dev.leasehold.blocks.objects.memory;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectDecision;
import dev.leasehold.blocks.objects.spi.ObjectDecisionContext;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectRules;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore.Moment;
import dev.leasehold.kernel.memory.MemoryRows;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The reference store: the rules, under the lock of the lease store beside it, for one process
 * while it lives. Every returned stage is complete.
 */
public final class MemoryObjectStore extends MemoryRows<ObjectCommand, ObjectOutcome, ObjectChange>
    implements ObjectStore {
  // All guarded by the lease store's lock.
  private final NavigableMap<ObjectName, Entry> entries = new TreeMap<>();
  private final Map<ObjectScope, Binding> bindings = new HashMap<>();

  /** An object or a tombstone, and the writes before the last one that are still remembered. */
  private static final class Entry {
    ObjectRecord record;
    Payload payload;
    final Map<RequestId, ObjectRecord> past = new HashMap<>();

    Entry(ObjectRecord record, Payload payload) {
      this.record = record;
      this.payload = payload;
    }
  }

  public MemoryObjectStore(MemoryLeaseStore leases) {
    super(leases, ObjectChange::isOf);
  }

  @Override
  protected ObjectOutcome carryOut(
      ObjectCommand command, Admission admission, Moment moment, Consumer<ObjectChange> changes) {
    Optional<Entry> entry = Optional.ofNullable(entries.get(command.name()));
    entry.ifPresent(
        found ->
            found.past.values().removeIf(old -> old.updatedAtMillis() < forgottenBefore(moment)));
    ObjectState state =
        new ObjectState(
            new Version(floor(command.name().toString(), moment).value()),
            entry.map(found -> found.record),
            entry
                .flatMap(found -> Optional.ofNullable(found.past.get(command.requestId())))
                .map(ObjectRecord::last));
    ObjectDecisionContext context =
        new ObjectDecisionContext(
            bound(command.name()), admission, moment.nowMillis(), moment.incarnation());
    ObjectDecision decision = ObjectRules.decide(state, command, context);
    decision.change().ifPresent(change -> changes.accept(write(command.name(), change)));
    return decision.outcome();
  }

  private Optional<LeaseKey> bound(ObjectName name) {
    return Optional.ofNullable(bindings.get(ObjectScope.one(name)))
        .or(() -> Optional.ofNullable(bindings.get(ObjectScope.all(name.type()))))
        .map(Binding::key);
  }

  private ObjectChange write(ObjectName name, ObjectDecision.Change change) {
    Entry entry = entries.computeIfAbsent(name, n -> new Entry(change.record(), change.payload()));
    change.displaced().ifPresent(before -> entry.past.put(before.last().requestId(), before));
    entry.record = change.record();
    entry.payload = change.payload();
    ObjectChange.Kind kind =
        change.record().isTombstone() ? ObjectChange.Kind.DELETED : ObjectChange.Kind.WRITTEN;
    return new ObjectChange(kind, name, change.record().version());
  }

  @Override
  public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
    return inOneStep(moment -> names.stream().map(this::object).toList());
  }

  private Optional<VersionedObject> object(ObjectName name) {
    return Optional.ofNullable(entries.get(name))
        .filter(entry -> !entry.record.isTombstone())
        .map(
            entry ->
                new VersionedObject(
                    name,
                    entry.record.version(),
                    entry.payload,
                    entry.record.createdAtMillis(),
                    entry.record.updatedAtMillis()));
  }

  @Override
  public CompletionStage<ObjectPage> list(ObjectQuery query) {
    return inOneStep(moment -> page(query));
  }

  private ObjectPage page(ObjectQuery query) {
    List<VersionedObject> items = new ArrayList<>();
    long bytes = 0;
    for (ObjectName name : entries.navigableKeySet()) {
      boolean asked = name.type().equals(query.type()) && name.id().compareTo(query.after()) > 0;
      Optional<VersionedObject> found = asked ? object(name) : Optional.empty();
      if (found.isPresent()) {
        bytes += found.get().payload().size();
        boolean full = items.size() == query.limit() || bytes > ObjectQuery.MAX_PAGE_BYTES;
        if (full && !items.isEmpty()) {
          return new ObjectPage(items, Optional.of(items.getLast().name().id()));
        }
        items.add(found.get());
      }
    }
    return new ObjectPage(items, Optional.empty());
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> bind(ObjectScope scope, LeaseKey key, Operator by) {
    return inOneStep(
        moment ->
            Optional.ofNullable(
                    bindings.put(scope, new Binding(scope, key, by, moment.nowMillis())))
                .map(Binding::key));
  }

  @Override
  public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
    return inOneStep(moment -> Optional.ofNullable(bindings.remove(scope)).map(Binding::key));
  }

  @Override
  public CompletionStage<List<Binding>> bindings(ObjectQuery query) {
    return inOneStep(
        moment -> {
          Map<String, Binding> byId = new TreeMap<>();
          bindings.values().stream()
              .filter(binding -> binding.scope().type().equals(query.type()))
              .forEach(binding -> byId.put(binding.scope().id(), binding));
          return byId.entrySet().stream()
              .filter(one -> query.after().isEmpty() || one.getKey().compareTo(query.after()) > 0)
              .limit(query.limit())
              .map(Map.Entry::getValue)
              .toList();
        });
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return inOneStep(
        moment -> {
          List<Map.Entry<ObjectName, Entry>> dead =
              entries.entrySet().stream()
                  .filter(one -> one.getValue().record.isTombstone())
                  .filter(
                      one -> one.getValue().record.updatedAtMillis() <= deadBefore(moment, query))
                  .limit(query.limit())
                  .toList();
          dead.forEach(one -> purge(one.getKey(), one.getValue().record.version()));
          return new PurgeReport(dead.size());
        });
  }

  private void purge(ObjectName name, Version last) {
    raiseFloor(name.toString(), last.value());
    entries.remove(name);
  }
}
