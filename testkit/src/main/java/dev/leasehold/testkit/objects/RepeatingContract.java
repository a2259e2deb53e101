package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A caller that got no answer sends the same command again, and gets the answer of the first one.
 */
abstract class RepeatingContract extends ObjectsGroup {
  private void isToldAgain(ObjectCommand command, ObjectOutcome first) {
    assertThat(apply(command)).isEqualTo(first);
    assertThat(answer(under.others().apply(List.of(command)))).containsExactly(first);
  }

  @Test
  void a_repeated_put_does_not_conflict_with_itself() {
    ObjectCommand create = put("one", Expectation.ABSENCE);
    ObjectOutcome created = apply(create);
    isToldAgain(create, created);
    ObjectCommand replace = put("two", Expectation.at(((ObjectOutcome.Written) created).version()));
    ObjectOutcome replaced = apply(replace);
    assertThat(replaced).isInstanceOf(ObjectOutcome.Replaced.class);
    isToldAgain(replace, replaced);
    assertThat(content()).isEqualTo("two");
  }

  @Test
  void nor_does_it_undo_what_others_have_written_since() {
    ObjectCommand mine = put("mine");
    ObjectOutcome first = apply(mine);
    for (int i = 0; i < 40; i++) {
      written(put("theirs"));
    }
    isToldAgain(mine, first);
    assertThat(content()).isEqualTo("theirs");
  }

  @Test
  void a_repeated_deletion_is_told_again_and_spares_what_came_since() {
    written(put("one"));
    ObjectCommand delete = delete();
    ObjectOutcome deleted = apply(delete);
    isToldAgain(delete, deleted);
    written(put("two"));
    isToldAgain(delete, deleted);
    assertThat(content()).isEqualTo("two");
    deleted(delete());
    isToldAgain(delete, deleted);
  }

  @Test
  void a_put_before_a_deletion_is_told_again_after_it() {
    ObjectCommand put = put("one");
    ObjectOutcome created = apply(put);
    deleted(delete());
    isToldAgain(put, created);
    assertThat(content()).isEqualTo("nothing");
  }

  @Test
  void a_repeat_within_one_batch_acts_once() {
    ObjectCommand put = put("one");
    List<ObjectOutcome> outcomes = applyAll(put, put, put("two"), put);
    assertThat(outcomes.get(1)).isEqualTo(outcomes.getFirst());
    assertThat(outcomes.get(3)).isEqualTo(outcomes.getFirst());
    assertThat(content()).isEqualTo("two");
  }

  @Test
  void it_is_remembered_for_as_long_as_it_may_be_repeated() {
    ObjectCommand put = put("one");
    ObjectOutcome first = apply(put);
    ObjectCommand delete = delete();
    ObjectOutcome second = apply(delete);
    written(put("two"));
    pass(memory().minus(Duration.ofMillis(1)));
    assertThat(purge()).isZero();
    isToldAgain(put, first);
    isToldAgain(delete, second);
  }

  @Test
  void what_was_done_under_a_lease_is_told_when_that_is_over() {
    Claim claim = acquired(KEY, ANN);
    ObjectCommand put = under(put("one"), claim);
    ObjectOutcome first = apply(put);
    release(claim, ANN);
    isToldAgain(put, first);
  }

  @Test
  void what_changed_nothing_is_decided_afresh() {
    ObjectCommand delete = delete();
    assertThat(apply(delete)).isEqualTo(new ObjectOutcome.Absent());
    var first = written(put("one"));
    ObjectCommand create = put("two", Expectation.ABSENCE);
    assertThat(apply(create)).isEqualTo(new ObjectOutcome.Conflict(Optional.of(first)));
    assertThat(apply(delete)).isInstanceOf(ObjectOutcome.Deleted.class);
    assertThat(apply(create)).isInstanceOf(ObjectOutcome.Created.class);
  }

  @Test
  void the_same_request_id_is_another_request_on_another_object_or_with_another_verb() {
    ObjectCommand.Put put = put("one");
    written(put);
    assertThat(apply(named(put, OTHER))).isInstanceOf(ObjectOutcome.Created.class);
    assertThat(
            apply(
                new ObjectCommand.Delete(
                    NAME, Expectation.ANYTHING, Optional.empty(), put.requestId())))
        .isInstanceOf(ObjectOutcome.Deleted.class);
  }
}
