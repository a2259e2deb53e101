package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.Update;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.RemoteStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes of objects whose answers are lost. */
@Timeout(120)
class ObjectFailoverTest {
  private static final ObjectName NAME = ObjectName.of("sandbox", "eu/a");

  private final MemoryLeaseStore leases =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final ObjectStore behind = new MemoryObjectStore(leases);
  private final LeaseholdServer server = LeaseholdServer.on(leases).objects(behind).start();
  private final DroppingServer dropping = new DroppingServer(server.address());

  @AfterEach
  void close() {
    dropping.close();
    server.close();
    leases.close();
  }

  private RemoteStore store() {
    return RemoteStore.at(dropping.address(), server.address().toString()).open();
  }

  private static ObjectCommand put(String text, Expectation expected) {
    return new ObjectCommand.Put(
        NAME, Payload.ofText(text), expected, Optional.empty(), RequestId.random());
  }

  private static ObjectOutcome ask(ObjectStore store, ObjectCommand command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  private Version written(String text) {
    return ((ObjectOutcome.Written) ask(behind, put(text, Expectation.ANYTHING))).version();
  }

  private String content() {
    return VersionedObjects.on(behind)
        .get(NAME)
        .map(found -> found.payload().text())
        .orElse("nothing");
  }

  private static void isUnknown(ObjectOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ObjectOutcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
  }

  @Test
  void aWriteWhoseAnswerWasLostIsMadeOnceAndAnsweredByTheNextServer() {
    Version before = written("before");
    try (RemoteStore store = store()) {
      ObjectOutcome outcome = ask(store.objects(), put("mine", Expectation.ANYTHING));
      assertThat(dropping.dropped).hasValue(1);
      assertThat(outcome)
          .as("one version after the one before")
          .isEqualTo(new ObjectOutcome.Replaced(before.next(before.incarnation())));
    }
  }

  @Test
  void aCreationDoesNotConflictWithItself() {
    try (RemoteStore store = store()) {
      assertThat(ask(store.objects(), put("mine", Expectation.ABSENCE)))
          .isInstanceOf(ObjectOutcome.Created.class);
    }
  }

  @Test
  void incrementsWhoseAnswersAreLostAreMadeOnce() {
    int increments = 0;
    // On a busy machine, a client may have switched to the other server before it writes.
    while (dropping.dropped.get() < 20) {
      increments++;
      // A client asks the server that answered last first; a new client begins with the other one.
      try (RemoteStore store = store()) {
        Update update =
            VersionedObjects.on(store.objects())
                .update(
                    NAME,
                    current ->
                        Payload.ofText(
                            current.map(found -> found.payload().text()).orElse("") + "x"));
        assertThat(update).isInstanceOf(Update.Made.class);
      }
    }
    assertThat(content()).isEqualTo("x".repeat(increments));
  }

  @Test
  void aConflictIsNotTheLastWordWhileAnEarlierAttemptMayStillArrive() {
    dropping.passesOn = false;
    written("theirs");
    try (RemoteStore store = store()) {
      isUnknown(ask(store.objects(), put("mine", Expectation.ABSENCE)));
      assertThat(ask(store.objects(), put("mine", Expectation.ABSENCE)))
          .as("asked anew")
          .isInstanceOf(ObjectOutcome.Conflict.class);
    }
  }

  @Test
  void norIsThatThereIsNothingToDelete() {
    dropping.passesOn = false;
    try (RemoteStore store = store()) {
      isUnknown(
          ask(
              store.objects(),
              new ObjectCommand.Delete(
                  NAME, Expectation.ANYTHING, Optional.empty(), RequestId.random())));
    }
  }

  @Test
  void aVersionThatIsPastIsPast() {
    dropping.passesOn = false;
    Version first = written("one");
    Version second = written("two");
    try (RemoteStore store = store()) {
      assertThat(ask(store.objects(), put("late", Expectation.at(first))))
          .isEqualTo(new ObjectOutcome.Conflict(Optional.of(second)));
    }
  }

  @Test
  void aCommandThatNoServerAnswersIsUnknownAndACallerThatAsksAgainIsTold() {
    ObjectCommand create = put("mine", Expectation.ABSENCE);
    try (RemoteStore store = RemoteStore.at(dropping.address()).open()) {
      isUnknown(ask(store.objects(), create));
    }
    assertThat(content()).as("it was done all the same").isEqualTo("mine");
    try (RemoteStore store = RemoteStore.at(server.address().toString()).open()) {
      assertThat(ask(store.objects(), create)).isInstanceOf(ObjectOutcome.Created.class);
    }
  }

  @Test
  void aCommandThatReachesNoServerIsNotApplied() {
    try (RemoteStore store = store()) {
      dropping.close();
      server.close();
      assertThat(ask(store.objects(), put("mine", Expectation.ANYTHING)))
          .isInstanceOfSatisfying(
              ObjectOutcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED));
    }
  }

  @Test
  void anOperatorsBindingIsNeverSentTwice() {
    try (RemoteStore store = store()) {
      var binding =
          store
              .objects()
              .bind(
                  ObjectScope.all("sandbox"),
                  LeaseKey.of("leader", "sandboxes"),
                  new Operator("olga"))
              .toCompletableFuture();
      assertThat(binding.handle((before, failure) -> failure).join())
          .isInstanceOf(CompletionException.class);
      assertThat(dropping.dropped).hasValue(1);
    }
  }
}
