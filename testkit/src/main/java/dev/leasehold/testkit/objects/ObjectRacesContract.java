package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.Update;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.testkit.suite.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What threads and processes do at once. */
abstract class ObjectRacesContract extends ObjectsGroup {
  private static final int THREADS = 8;
  private static final int INCREMENTS = 10;
  private static final int ROUNDS = 8;
  private static final int MANY_ATTEMPTS = 1_000;

  /** Half of them in one process, half in another. */
  private ObjectStore storeOf(int thread) {
    return thread % 2 == 0 ? under.objects() : under.others();
  }

  @Test
  void concurrent_increments_lose_no_update() {
    List<VersionedObjects> handles =
        List.of(VersionedObjects.on(under.objects()), VersionedObjects.on(under.others()));
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      VersionedObjects objects = handles.get(thread % 2);
      tasks.add(
          () -> {
            for (int i = 0; i < INCREMENTS; i++) {
              Update update = objects.update(NAME, ObjectRacesContract::plusOne, MANY_ATTEMPTS);
              assertThat(update).isInstanceOf(Update.Made.class);
            }
            return true;
          });
    }
    assertThat(Rounds.together(tasks)).hasSize(THREADS);
    assertThat(content()).isEqualTo(Integer.toString(THREADS * INCREMENTS));
  }

  private static Payload plusOne(Optional<VersionedObject> current) {
    int before = current.map(found -> Integer.parseInt(found.payload().text())).orElse(0);
    return text(Integer.toString(before + 1));
  }

  @Test
  void of_those_who_create_an_object_at_once_one_does() {
    for (int round = 0; round < ROUNDS; round++) {
      String id = "round-" + round;
      List<Callable<ObjectOutcome>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        ObjectCommand create =
            named(put("by " + thread, Expectation.ABSENCE), ObjectName.of("sandbox", id));
        ObjectStore store = storeOf(thread);
        tasks.add(() -> answer(store.apply(List.of(create))).getFirst());
      }
      List<ObjectOutcome> outcomes = Rounds.together(tasks);
      assertThat(outcomes.stream().filter(ObjectOutcome.Created.class::isInstance)).hasSize(1);
      assertThat(outcomes.stream().filter(ObjectOutcome.Conflict.class::isInstance))
          .hasSize(THREADS - 1);
    }
  }

  /** Writes until told to stop; gives the versions that it was told. */
  private static List<Version> writeUntil(AtomicBoolean stop, ObjectStore store) {
    List<Version> versions = new ArrayList<>();
    while (!stop.get()) {
      ObjectCommand put =
          new ObjectCommand.Put(
              NAME, text("old"), Expectation.ANYTHING, Optional.empty(), RequestId.random());
      if (answer(store.apply(List.of(put))).getFirst() instanceof ObjectOutcome.Written made) {
        versions.add(made.version());
      }
    }
    return versions;
  }

  @Test
  void once_a_binding_is_made_no_write_without_the_key_takes_effect() {
    ObjectScope scope = ObjectScope.all("sandbox");
    for (int round = 0; round < ROUNDS; round++) {
      Version before = written(put("free"));
      AtomicBoolean stop = new AtomicBoolean();
      List<Version> read = new ArrayList<>();
      Callable<List<Version>> writer = () -> writeUntil(stop, under.objects());
      Callable<List<Version>> other = () -> writeUntil(stop, under.others());
      Callable<List<Version>> binder =
          () -> {
            try {
              while (!read(NAME).orElseThrow().version().isAbove(before)) {
                Thread.onSpinWait();
              }
              answer(under.others().bind(scope, KEY, OLGA));
              read.add(read(NAME).orElseThrow().version());
              return List.of();
            } finally {
              stop.set(true);
            }
          };
      List<List<Version>> results = Rounds.together(List.of(writer, other, binder));
      Version seen = read.getFirst();
      assertThat(results.stream().flatMap(List::stream))
          .allMatch(version -> !version.isAbove(seen));
      answer(objects().unbind(scope));
    }
  }

  @Test
  void a_purge_that_races_with_creations_lets_no_version_come_back() {
    for (int round = 0; round < ROUNDS; round++) {
      written(put("one"));
      Version last = deleted(delete());
      pass(memory().plusMillis(1));
      Callable<ObjectOutcome> creation = () -> apply(put("two", Expectation.ABSENCE));
      Callable<ObjectOutcome> purging =
          () -> {
            int unused = purge();
            return new ObjectOutcome.Absent();
          };
      ObjectOutcome created = Rounds.together(List.of(creation, purging)).getFirst();
      assertThat(created).isInstanceOf(ObjectOutcome.Created.class);
      assertThat(((ObjectOutcome.Created) created).version()).isGreaterThan(last);
    }
  }
}
