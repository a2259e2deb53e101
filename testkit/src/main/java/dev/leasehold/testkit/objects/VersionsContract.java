package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.PurgeQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Versions only grow: through deletion, purge and a higher incarnation. */
abstract class VersionsContract extends ObjectsGroup {
  private static final int HIGHER = 7_000;

  @Test
  void each_write_is_above_the_one_before() {
    Version last = written(put("first"));
    for (int i = 0; i < 5; i++) {
      Version deletion = deleted(delete());
      assertThat(deletion).isGreaterThan(last);
      last = written(put("again", Expectation.ABSENCE));
      assertThat(last).isGreaterThan(deletion);
    }
  }

  @Test
  void an_object_that_was_purged_goes_on_above_its_last_version() {
    written(put("one"));
    Version last = deleted(delete());
    pass(memory().plus(A_MOMENT));
    assertThat(purge()).isEqualTo(1);
    assertThat(purge()).isZero();
    assertThat(written(put("two", Expectation.ABSENCE))).isGreaterThan(last);
  }

  @Test
  void objects_of_one_bucket_share_the_floor() {
    for (int i = 0; i < 3; i++) {
      written(put("one"));
    }
    Version last = deleted(delete());
    pass(memory().plus(A_MOMENT));
    assertThat(purge()).isEqualTo(1);
    assertThat(written(named(put("two"), neighbour()))).isGreaterThan(last);
  }

  @Test
  void a_lower_tombstone_does_not_lower_the_floor() {
    written(named(put("low"), neighbour()));
    for (int i = 0; i < 5; i++) {
      written(put("one"));
    }
    Version last = deleted(delete());
    pass(memory().plus(A_MOMENT));
    assertThat(purge()).isEqualTo(1);
    answer(
        objects()
            .apply(
                List.of(
                    new ObjectCommand.Delete(
                        neighbour(), Expectation.ANYTHING, Optional.empty(), request()))));
    pass(memory().plus(A_MOMENT));
    assertThat(purge()).isEqualTo(1);
    assertThat(written(put("two"))).isGreaterThan(last);
  }

  private static ObjectName neighbour() {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> ObjectName.of("sandbox", "neighbour-" + i))
        .filter(name -> Buckets.of(name.toString()) == Buckets.of(NAME.toString()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_tombstone_stays_while_its_deletion_may_be_repeated() {
    written(put("one"));
    deleted(delete());
    pass(memory().minus(A_MOMENT));
    assertThat(purge()).isZero();
  }

  @Test
  void a_tombstone_stays_for_as_long_as_was_asked() {
    written(put("one"));
    deleted(delete());
    Duration asked = memory().multipliedBy(3);
    pass(asked.minus(A_MOMENT));
    PurgeQuery query = new PurgeQuery(asked.toMillis(), 10);
    assertThat(answer(objects().purge(query)).purged()).isZero();
    pass(A_MOMENT);
    assertThat(answer(objects().purge(query)).purged()).isEqualTo(1);
  }

  @Test
  void an_object_that_lives_is_not_purged_even_if_it_was_deleted_before() {
    written(put("one"));
    deleted(delete());
    written(put("two"));
    written(named(put("never deleted"), OTHER));
    pass(memory().multipliedBy(2));
    assertThat(purge()).isZero();
    assertThat(content()).isEqualTo("two");
    assertThat(read(OTHER)).isPresent();
  }

  @Test
  void a_purge_stops_at_its_limit_and_goes_on_later() {
    for (int i = 0; i < 5; i++) {
      ObjectName name = ObjectName.of("many", "n" + i);
      written(named(put("one"), name));
      deleted(new ObjectCommand.Delete(name, Expectation.ANYTHING, Optional.empty(), request()));
    }
    pass(memory().plus(A_MOMENT));
    assertThat(answer(objects().purge(new PurgeQuery(0, 2))).purged()).isEqualTo(2);
    assertThat(purge()).isEqualTo(3);
  }

  @Test
  void a_higher_incarnation_outranks_every_version_ever_issued() {
    Version before = written(put("one"));
    advance();
    assertThat(read(NAME).orElseThrow().version()).isEqualTo(before);
    Version after = written(put("two", Expectation.at(before)));
    assertThat(after.incarnation()).isGreaterThan(HIGHER);
    assertThat(written(named(put("new"), OTHER)).incarnation()).isGreaterThan(HIGHER);
    assertThat(deleted(delete()).incarnation()).isGreaterThan(HIGHER);
  }

  @Test
  void a_floor_of_before_is_outranked_too() {
    written(put("one"));
    deleted(delete());
    pass(memory().plus(A_MOMENT));
    assertThat(purge()).isEqualTo(1);
    advance();
    assertThat(written(put("two")).incarnation()).isGreaterThan(HIGHER);
  }

  private void advance() {
    assertThat(answer(leases().advance(Advance.above(HIGHER))))
        .isInstanceOf(Advance.Advanced.class);
  }

  @Test
  void a_version_of_another_object_is_no_version_of_this_one() {
    Version others = written(named(put("other"), OTHER));
    for (int i = 0; i < 3; i++) {
      others = written(named(put("other"), OTHER));
    }
    Version own = written(put("one"));
    assertThat(apply(put("two", Expectation.at(others))))
        .isEqualTo(new ObjectOutcome.Conflict(Optional.of(own)));
  }
}
