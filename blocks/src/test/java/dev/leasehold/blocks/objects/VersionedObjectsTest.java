package dev.leasehold.blocks.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.blocks.StoreUnavailableException;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.wires.SharedCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What stands between callers and a store. A write that hangs ignores interrupts, so its thread is
 * given up.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VersionedObjectsTest {
  private static final ObjectName NAME = ObjectName.of("counter", "one");

  private final ObjectStore sound =
      new MemoryObjectStore(
          new MemoryLeaseStore(
              InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")), Limits.SINGLE_NODE));
  private final List<ObjectCommand> sent = new ArrayList<>();
  private int repliesLost;
  private int othersWrites;
  private final VersionedObjects objects = VersionedObjects.on(disturbed());

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("the test has given up", e);
    }
  }

  /** The sound store, whose replies get lost, and to which others write just before. */
  private ObjectStore disturbed() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("apply")) {
                disturb();
              }
              Object answer = invoke(method, arguments);
              if (method.getName().equals("apply")) {
                sent.add((ObjectCommand) ((List<?>) arguments[0]).getFirst());
                if (repliesLost > 0) {
                  repliesLost--;
                  ObjectOutcome unknown = new ObjectOutcome.Failed(Certainty.UNKNOWN, "cut off");
                  return CompletableFuture.completedFuture(List.of(unknown));
                }
              }
              return answer;
            });
  }

  private Object invoke(java.lang.reflect.Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(sound, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void disturb() {
    if (othersWrites > 0) {
      othersWrites--;
      VersionedObjects.on(sound).update(NAME, VersionedObjectsTest::plusOne);
    }
  }

  private static Payload plusOne(Optional<VersionedObject> current) {
    int before = current.map(found -> Integer.parseInt(found.payload().text())).orElse(0);
    return Payload.ofText(Integer.toString(before + 1));
  }

  private String content() {
    return objects.get(NAME).map(found -> found.payload().text()).orElse("nothing");
  }

  @Test
  void an_update_whose_reply_is_lost_is_made_once() {
    objects.update(NAME, VersionedObjectsTest::plusOne);
    repliesLost = 2;
    assertThat(objects.update(NAME, VersionedObjectsTest::plusOne)).isInstanceOf(Update.Made.class);
    assertThat(content()).isEqualTo("2");
    assertThat(sent.stream().map(ObjectCommand::requestId).distinct()).hasSize(2);
  }

  @Test
  void a_put_whose_reply_is_lost_fails_with_unknown_certainty() {
    repliesLost = 1;
    assertThatThrownBy(() -> objects.put(NAME, Payload.EMPTY))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            e -> assertThat(e.certainty()).isEqualTo(Certainty.UNKNOWN));
  }

  /**
   * The first copy of a write is still on its way, so nothing is known by an answer to the second
   * that the first one may outlive.
   */
  @Test
  void while_the_first_copy_may_still_arrive_only_what_stops_it_is_an_answer() {
    Version first = Version.of(1, 1);
    Expectation there = Expectation.at(first);
    ObjectOutcome bound = new ObjectOutcome.Bound(LeaseKey.of("lock", "a"));
    assertUnknown(Expectation.ABSENCE, new ObjectOutcome.Conflict(Optional.empty()));
    assertUnknown(Expectation.ABSENCE, new ObjectOutcome.Conflict(Optional.of(first)));
    assertUnknown(there, new ObjectOutcome.Conflict(Optional.empty()));
    assertUnknown(there, new ObjectOutcome.Conflict(Optional.of(first)));
    assertUnknown(there, bound);
    assertUnknown(there, new ObjectOutcome.Rejected("no"));
    assertUnknown(there, new ObjectOutcome.Failed(Certainty.NOT_APPLIED, "not now"));
    Version above = Version.of(1, 2);
    assertThat(afterAnUnknown(there, new ObjectOutcome.Conflict(Optional.of(above))))
        .isEqualTo(new Update.Exhausted(1, Optional.of(above)));
    assertThat(afterAnUnknown(there, new ObjectOutcome.Replaced(above)))
        .isEqualTo(new Update.Made(above, Payload.EMPTY));
  }

  private static void assertUnknown(Expectation expected, ObjectOutcome second) {
    assertThatThrownBy(() -> afterAnUnknown(expected, second))
        .as("%s after %s", second, expected)
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            e -> assertThat(e.certainty()).isEqualTo(Certainty.UNKNOWN));
  }

  /** One attempt at an update, whose first copy is not answered, and each other one with this. */
  private static Update afterAnUnknown(Expectation expected, ObjectOutcome second) {
    Optional<VersionedObject> found =
        expected instanceof Expectation.At at
            ? Optional.of(new VersionedObject(NAME, at.version(), Payload.EMPTY, 0, 0))
            : Optional.empty();
    List<ObjectOutcome> answers = new ArrayList<>();
    ObjectStore scripted =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("read")) {
                    return CompletableFuture.completedFuture(List.of(found));
                  }
                  answers.add(
                      answers.isEmpty()
                          ? new ObjectOutcome.Failed(Certainty.UNKNOWN, "cut off")
                          : second);
                  return CompletableFuture.completedFuture(List.of(answers.getLast()));
                });
    return VersionedObjects.on(scripted).update(NAME, current -> Payload.EMPTY, 1);
  }

  @Test
  void an_update_is_tried_again_while_others_are_faster() {
    othersWrites = 5;
    assertThat(objects.update(NAME, VersionedObjectsTest::plusOne)).isInstanceOf(Update.Made.class);
    assertThat(content()).isEqualTo("6");
  }

  @Test
  void but_not_for_ever() {
    othersWrites = 3;
    Update update = objects.update(NAME, VersionedObjectsTest::plusOne, 3);
    assertThat(update)
        .isEqualTo(new Update.Exhausted(3, objects.get(NAME).map(VersionedObject::version)));
    assertThat(content()).isEqualTo("3");
  }

  @Test
  void observers_are_told_of_writes_that_are_refused_and_of_no_others() throws Exception {
    BlockingQueue<LeaseEvent> events = new LinkedBlockingQueue<>();
    VersionedObjects observed = VersionedObjects.on(sound).observer(events::add);
    LeaseKey key = LeaseKey.of("lock", "counter");
    observed.put(NAME, Payload.EMPTY);
    observed.create(NAME, Payload.EMPTY);
    observed.bind(ObjectScope.one(NAME), key, new Operator("op"));
    assertThat(observed.delete(NAME)).isInstanceOf(ObjectOutcome.Bound.class);
    Claim madeUp = new Claim(key, Token.of(1, 7), "nobody");
    assertThat(observed.under(madeUp).put(NAME, Payload.EMPTY))
        .isInstanceOf(ObjectOutcome.Refused.class);
    assertThat(events.take())
        .isEqualTo(new LeaseEvent.Refused(key, Optional.empty(), "object/counter"));
    assertThat(events.take())
        .isEqualTo(new LeaseEvent.Refused(key, Optional.of(madeUp.token()), "object/counter"));
  }

  @Test
  void an_observer_that_throws_or_blocks_keeps_no_write_from_its_outcome() {
    CountDownLatch written = new CountDownLatch(1);
    VersionedObjects observed =
        VersionedObjects.on(sound)
            .observer(
                event -> {
                  hold(written);
                  throw new IllegalStateException("observer");
                });
    observed.bind(ObjectScope.one(NAME), LeaseKey.of("lock", "counter"), new Operator("op"));
    assertThat(observed.put(NAME, Payload.EMPTY)).isInstanceOf(ObjectOutcome.Bound.class);
    assertThat(observed.put(NAME, Payload.EMPTY)).isInstanceOf(ObjectOutcome.Bound.class);
    written.countDown();
  }

  @Test
  void a_store_that_fails_is_an_exception() {
    VersionedObjects closed = VersionedObjects.on(closedStore());
    assertThatThrownBy(() -> closed.get(NAME))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("closed");
  }

  private static ObjectStore closedStore() {
    MemoryLeaseStore leases =
        new MemoryLeaseStore(InstantSource.fixed(Instant.EPOCH), Limits.SINGLE_NODE);
    leases.close();
    return new MemoryObjectStore(leases);
  }

  /** No batch is ever in flight for so long that another one goes out beside it. */
  private static final SharedCalls.Time STANDING_STILL =
      new SharedCalls.Time(() -> 0, (task, delayNanos) -> () -> {});

  /** A store that answers nothing, while more comes than may wait for it. */
  @Test
  void what_is_too_much_fails_at_once_and_is_known_not_to_act() {
    ObjectStore silent =
        (ObjectStore)
            Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> new CompletableFuture<>());
    VersionedObjects many = VersionedObjects.on(silent, STANDING_STILL);
    Payload large = Payload.of(new byte[Payload.MAX_BYTES]);
    CompletableFuture<ObjectOutcome> last = new CompletableFuture<>();
    for (int i = 0; i < 100 && !last.isDone(); i++) {
      last = many.apply(put("p" + i, large)).toCompletableFuture();
    }
    assertThat(last.join())
        .isInstanceOfSatisfying(
            ObjectOutcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED));
    CompletableFuture<Optional<VersionedObject>> read = new CompletableFuture<>();
    for (int i = 0; i < 100_000 && !read.isDone(); i++) {
      read = many.getLater(NAME).toCompletableFuture();
    }
    assertThatThrownBy(read::join).hasCauseInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> many.get(NAME))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            e -> assertThat(e.certainty()).isEqualTo(Certainty.NOT_APPLIED));
  }

  private static ObjectCommand put(String id, Payload payload) {
    return new ObjectCommand.Put(
        ObjectName.of("counter", id),
        payload,
        Expectation.ANYTHING,
        Optional.empty(),
        RequestId.random());
  }

  @Test
  void what_is_too_large_or_misnamed_is_refused_at_once() {
    assertThatThrownBy(() -> Payload.of(new byte[Payload.MAX_BYTES + 1]))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("1048577 bytes");
    assertThatThrownBy(() -> ObjectName.of("a/b", "c")).hasMessageContaining("slash");
    assertThatThrownBy(() -> ObjectName.of("a", "")).isInstanceOf(IllFormedException.class);
    assertThatThrownBy(() -> ObjectName.of("a", "x y")).isInstanceOf(IllFormedException.class);
    assertThatThrownBy(() -> Version.parse("007")).hasMessageContaining("not a version");
  }
}
