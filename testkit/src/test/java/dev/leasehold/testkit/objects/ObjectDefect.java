package dev.leasehold.testkit.objects;

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
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.testkit.suite.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Stores with one thing wrong each. */
enum ObjectDefect {
  NONE(store -> store),
  EXPECTED_VERSIONS_ARE_IGNORED(
      commands(c -> c.expected() instanceof Expectation.At ? with(c, Expectation.ANYTHING) : c)),
  MUST_CREATE_REPLACES(
      commands(
          c -> c.expected() instanceof Expectation.Absence ? with(c, Expectation.ANYTHING) : c)),
  CLAIMS_ARE_IGNORED(commands(c -> with(c, Optional.empty()))),
  CLAIMS_OF_DELETIONS_ARE_IGNORED(
      commands(c -> c instanceof ObjectCommand.Delete ? with(c, Optional.empty()) : c)),
  REPEATS_ACT_TWICE(commands(c -> with(c, RequestId.random()))),
  REPEATED_DELETIONS_ACT_TWICE(
      commands(c -> c instanceof ObjectCommand.Delete ? with(c, RequestId.random()) : c)),
  VERSIONS_RESTART_AFTER_DELETION(Restarting::new),
  BINDINGS_ARE_IGNORED(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<Optional<LeaseKey>> bind(
                ObjectScope scope, LeaseKey key, Operator by) {
              return CompletableFuture.completedFuture(Optional.empty());
            }
          }),
  BINDINGS_STAY_FOR_EVER(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<Optional<LeaseKey>> unbind(ObjectScope scope) {
              return CompletableFuture.completedFuture(Optional.empty());
            }
          }),
  ONE_BINDING_BINDS_THE_WHOLE_TYPE(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<Optional<LeaseKey>> bind(
                ObjectScope scope, LeaseKey key, Operator by) {
              return super.bind(ObjectScope.all(scope.type()), key, by);
            }
          }),
  A_CONFLICT_ENDS_THE_BATCH(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
              List<ObjectOutcome> outcomes = new ArrayList<>();
              boolean ended = false;
              for (ObjectCommand command : batch) {
                ObjectOutcome outcome =
                    ended
                        ? new ObjectOutcome.Conflict(Optional.empty())
                        : Await.answer(sound.apply(List.of(command))).getFirst();
                ended |= outcome instanceof ObjectOutcome.Conflict;
                outcomes.add(outcome);
              }
              return CompletableFuture.completedFuture(outcomes);
            }
          }),
  BATCHES_RUN_BACKWARDS(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
              return sound.apply(batch.reversed()).thenApply(List::reversed);
            }
          }),
  CREATION_TIMES_MOVE(
      reads(
          o ->
              new VersionedObject(
                  o.name(), o.version(), o.payload(), o.updatedAtMillis(), o.updatedAtMillis()))),
  UPDATE_TIMES_STAND_STILL(
      reads(
          o ->
              new VersionedObject(
                  o.name(), o.version(), o.payload(), o.createdAtMillis(), o.createdAtMillis()))),
  PAYLOADS_ARE_TAKEN_FOR_TEXT(
      reads(
          o ->
              new VersionedObject(
                  o.name(),
                  o.version(),
                  Payload.ofText(o.payload().text().substring(0, o.payload().size() / 2)),
                  o.createdAtMillis(),
                  o.updatedAtMillis()))),
  PAGES_DO_NOT_END(
      store ->
          new ForwardingObjects(store) {
            @Override
            public CompletionStage<ObjectPage> list(ObjectQuery query) {
              return sound.list(ObjectQuery.all(query.type()).from(query.after()));
            }
          }),
  WATCHERS_ARE_TOLD_NOTHING(
      store ->
          new ForwardingObjects(store) {
            @Override
            public Subscription watch(String type, ChangeListener<ObjectChange> listener) {
              return () -> {};
            }
          });

  @SuppressWarnings("ImmutableEnumChecker") // a lambda without state, but its type cannot say so
  private final UnaryOperator<ObjectStore> around;

  ObjectDefect(UnaryOperator<ObjectStore> around) {
    this.around = around;
  }

  ObjectStore around(ObjectStore sound) {
    return around.apply(sound);
  }

  private static UnaryOperator<ObjectStore> commands(UnaryOperator<ObjectCommand> change) {
    return store ->
        new ForwardingObjects(store) {
          @Override
          public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
            return sound.apply(batch.stream().map(change).toList());
          }
        };
  }

  private static UnaryOperator<ObjectStore> reads(UnaryOperator<VersionedObject> change) {
    return store ->
        new ForwardingObjects(store) {
          @Override
          public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
            return sound
                .read(names)
                .thenApply(found -> found.stream().map(one -> one.map(change)).toList());
          }
        };
  }

  private static ObjectCommand with(ObjectCommand command, Expectation expected) {
    return with(new Parts(command.name(), expected, command.claim(), command.requestId()), command);
  }

  private static ObjectCommand with(ObjectCommand command, Optional<Claim> claim) {
    return with(new Parts(command.name(), command.expected(), claim, command.requestId()), command);
  }

  private static ObjectCommand with(ObjectCommand command, RequestId requestId) {
    return with(new Parts(command.name(), command.expected(), command.claim(), requestId), command);
  }

  private record Parts(
      ObjectName name, Expectation expected, Optional<Claim> claim, RequestId requestId) {}

  private static ObjectCommand with(Parts parts, ObjectCommand command) {
    return switch (command) {
      case ObjectCommand.Put put ->
          new ObjectCommand.Put(
              parts.name(), put.payload(), parts.expected(), parts.claim(), parts.requestId());
      case ObjectCommand.Delete delete ->
          new ObjectCommand.Delete(
              parts.name(), parts.expected(), parts.claim(), parts.requestId());
    };
  }

  /** After a deletion it goes on with another object, whose versions begin anew. */
  private static final class Restarting extends ForwardingObjects {
    private final Map<ObjectName, Integer> deletions = new HashMap<>();

    Restarting(ObjectStore sound) {
      super(sound);
    }

    private synchronized ObjectName now(ObjectName name) {
      int deleted = deletions.getOrDefault(name, 0);
      return deleted == 0 ? name : ObjectName.of(name.type(), name.id() + "#" + deleted);
    }

    @Override
    public CompletionStage<List<ObjectOutcome>> apply(List<ObjectCommand> batch) {
      List<ObjectOutcome> outcomes = new ArrayList<>();
      for (ObjectCommand command : batch) {
        Parts parts =
            new Parts(
                now(command.name()), command.expected(), command.claim(), command.requestId());
        ObjectOutcome outcome = Await.answer(sound.apply(List.of(with(parts, command)))).getFirst();
        if (outcome instanceof ObjectOutcome.Deleted) {
          synchronized (this) {
            deletions.merge(command.name(), 1, Integer::sum);
          }
        }
        outcomes.add(outcome);
      }
      return CompletableFuture.completedFuture(outcomes);
    }

    @Override
    public CompletionStage<List<Optional<VersionedObject>>> read(List<ObjectName> names) {
      return sound.read(names.stream().map(this::now).toList());
    }
  }
}
