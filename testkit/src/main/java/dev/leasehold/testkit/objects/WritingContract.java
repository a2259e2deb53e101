package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.Version;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What writes expect, what they find, and the state afterwards. */
abstract class WritingContract extends ObjectsGroup {
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  @Test
  void what_was_put_is_there() {
    ObjectOutcome outcome = apply(put("one"));
    assertThat(outcome).isInstanceOf(ObjectOutcome.Created.class);
    Version version = ((ObjectOutcome.Created) outcome).version();
    assertThat(read(NAME))
        .contains(new VersionedObject(NAME, version, text("one"), nowMillis(), nowMillis()));
    assertThat(answer(under.others().read(List.of(NAME)))).isEqualTo(List.of(read(NAME)));
  }

  @Test
  void a_second_put_replaces_the_first() {
    Version first = written(put("one"));
    pass(A_WHILE);
    ObjectOutcome outcome = apply(put("two"));
    assertThat(outcome).isInstanceOf(ObjectOutcome.Replaced.class);
    Version second = ((ObjectOutcome.Replaced) outcome).version();
    assertThat(second).isGreaterThan(first);
    assertThat(read(NAME))
        .contains(
            new VersionedObject(
                NAME, second, text("two"), nowMillis() - A_WHILE.toMillis(), nowMillis()));
  }

  @Test
  void what_must_be_created_must_not_be_there() {
    Version first = written(put("one", Expectation.ABSENCE));
    assertThat(apply(put("two", Expectation.ABSENCE)))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.of(first)));
    assertThat(content()).isEqualTo("one");
  }

  @Test
  void a_put_that_expects_a_version_finds_it_or_changes_nothing() {
    Version first = written(put("one"));
    Version second = written(put("two", Expectation.at(first)));
    assertThat(apply(put("late", Expectation.at(first))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.of(second)));
    assertThat(apply(put("early", Expectation.at(second.next(0)))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.of(second)));
    assertThat(content()).isEqualTo("two");
  }

  @Test
  void a_put_that_expects_a_version_creates_nothing() {
    assertThat(apply(put("one", Expectation.at(new Version(7)))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.empty()));
    assertThat(content()).isEqualTo("nothing");
  }

  @Test
  void what_is_deleted_is_gone() {
    Version first = written(put("one"));
    assertThat(deleted(delete())).isGreaterThan(first);
    assertThat(content()).isEqualTo("nothing");
    assertThat(apply(delete())).isEqualTo(new ObjectOutcome.Absent());
  }

  @Test
  void a_deletion_that_expects_a_version_finds_it_or_changes_nothing() {
    Version first = written(put("one"));
    Version second = written(put("two"));
    assertThat(apply(delete(Expectation.at(first))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.of(second)));
    assertThat(content()).isEqualTo("two");
    Version last = deleted(delete(Expectation.at(second)));
    assertThat(apply(delete(Expectation.at(last))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.empty()));
  }

  @Test
  void nothing_can_be_expected_of_a_deleted_object_but_its_absence() {
    written(put("one"));
    Version last = deleted(delete());
    assertThat(apply(put("two", Expectation.at(last))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.empty()));
    pass(A_WHILE);
    assertThat(apply(put("three", Expectation.ABSENCE))).isInstanceOf(ObjectOutcome.Created.class);
    VersionedObject again = read(NAME).orElseThrow();
    assertThat(again.createdAtMillis()).isEqualTo(nowMillis());
    assertThat(again.updatedAtMillis()).isEqualTo(nowMillis());
  }

  @Test
  void payloads_are_any_bytes_and_may_be_empty_or_large() {
    byte[] bytes = new byte[Payload.MAX_BYTES];
    new SplittableRandom(7).nextBytes(bytes);
    for (Payload payload : List.of(Payload.of(bytes), Payload.EMPTY, Payload.of(new byte[256]))) {
      written(
          new ObjectCommand.Put(NAME, payload, Expectation.ANYTHING, Optional.empty(), request()));
      assertThat(read(NAME).orElseThrow().payload()).isEqualTo(payload);
    }
  }

  @Test
  void names_are_told_apart_to_the_last_character() {
    List<ObjectName> names =
        List.of(
            ObjectName.of("a", "b/c"),
            ObjectName.of("a", "B/c"),
            ObjectName.of("ab", "c"),
            ObjectName.of("a", "'\";--\\%_{}[]"),
            ObjectName.of("~!'\"", "x".repeat(ObjectName.MAX_ID)));
    for (ObjectName name : names) {
      written(named(put(name.toString(), Expectation.ABSENCE), name));
    }
    for (ObjectName name : names) {
      assertThat(read(name).orElseThrow().payload().text()).isEqualTo(name.toString());
    }
  }

  @Test
  void commands_of_a_batch_stand_alone_and_keep_their_order() {
    List<ObjectOutcome> outcomes =
        applyAll(
            put("one", Expectation.ABSENCE),
            put("no", Expectation.ABSENCE),
            named(put("other"), OTHER),
            put("two"),
            delete(),
            delete(),
            put("three", Expectation.ABSENCE));
    assertThat(outcomes)
        .extracting(outcome -> (Object) outcome.getClass())
        .containsExactly(
            ObjectOutcome.Created.class,
            ObjectOutcome.Conflict.class,
            ObjectOutcome.Created.class,
            ObjectOutcome.Replaced.class,
            ObjectOutcome.Deleted.class,
            ObjectOutcome.Absent.class,
            ObjectOutcome.Created.class);
    assertThat(content()).isEqualTo("three");
    assertThat(read(OTHER).orElseThrow().payload().text()).isEqualTo("other");
  }

  @Test
  void an_empty_batch_is_answered() {
    assertThat(applyAll()).isEmpty();
  }

  @Test
  void time_does_not_go_back_for_an_object() {
    written(put("one"));
    long before = nowMillis();
    pass(Duration.ofSeconds(-5));
    written(put("two"));
    VersionedObject found = read(NAME).orElseThrow();
    assertThat(found.updatedAtMillis()).isEqualTo(before);
    assertThat(found.createdAtMillis()).isEqualTo(before);
  }
}
