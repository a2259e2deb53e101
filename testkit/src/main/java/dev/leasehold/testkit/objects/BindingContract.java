package dev.leasehold.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectQuery;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bindings ask for a claim; writes without it are refused, and their neighbours are not. */
abstract class BindingContract extends ObjectsGroup {
  private static final ObjectScope ALL = ObjectScope.all("sandbox");
  private static final ObjectScope ONE = ObjectScope.one(NAME);

  private void isRefused(ObjectCommand command, Admission.Refused why) {
    Optional<?> before = read(NAME);
    assertThat(apply(command)).isEqualTo(new ObjectOutcome.Refused(why));
    assertThat(read(NAME)).isEqualTo(before);
  }

  @Test
  void neighbours_of_a_refused_write_are_not_spoiled() {
    Claim old = acquired(KEY, ANN);
    Claim current = takenOver(KEY);
    Claim other = acquired(OTHER_KEY, ANN);
    List<ObjectOutcome> outcomes =
        applyAll(
            under(put("late"), old),
            under(put("new"), current),
            named(put("free"), OTHER),
            under(put("other"), other));
    assertThat(outcomes.getFirst()).isInstanceOf(ObjectOutcome.Refused.class);
    assertThat(outcomes.subList(1, 4)).allMatch(ObjectOutcome.Written.class::isInstance);
    assertThat(content()).isEqualTo("other");
  }

  @Test
  void a_conflict_is_told_only_to_who_may_write() {
    Claim old = acquired(KEY, ANN);
    written(put("one"));
    Claim current = takenOver(KEY);
    isRefused(under(put("x", Expectation.ABSENCE), old), new Admission.Stale(current.token()));
    assertThat(apply(under(put("x", Expectation.ABSENCE), current)))
        .isInstanceOf(ObjectOutcome.Conflict.class);
  }

  @Test
  void a_bound_type_refuses_writes_without_its_key() {
    written(put("before"));
    assertThat(answer(objects().bind(ALL, KEY, OLGA))).isEmpty();
    ObjectOutcome bound = new ObjectOutcome.Bound(KEY);
    Claim other = acquired(OTHER_KEY, ANN);
    assertThat(
            applyAll(
                put("no claim"),
                delete(),
                under(put("another's"), other),
                named(put("new"), OTHER)))
        .containsOnly(bound);
    assertThat(answer(under.others().apply(List.of(put("elsewhere"))))).containsExactly(bound);
    assertThat(content()).isEqualTo("before");
    Claim claim = acquired(KEY, ANN);
    written(under(put("after"), claim));
    Claim next = takenOver(KEY);
    isRefused(under(put("late"), claim), new Admission.Stale(next.token()));
  }

  @Test
  void other_types_are_free() {
    answer(objects().bind(ALL, KEY, OLGA));
    written(named(put("x"), ObjectName.of("sandboxes", NAME.id())));
    written(named(put("x"), ObjectName.of("sandbo", NAME.id())));
  }

  @Test
  void a_bound_object_refuses_and_its_neighbours_do_not() {
    answer(objects().bind(ONE, KEY, OLGA));
    assertThat(apply(put("no"))).isEqualTo(new ObjectOutcome.Bound(KEY));
    written(named(put("yes"), OTHER));
  }

  @Test
  void an_objects_own_binding_goes_before_its_types() {
    answer(objects().bind(ALL, KEY, OLGA));
    answer(objects().bind(ONE, OTHER_KEY, OLGA));
    Claim ofType = acquired(KEY, ANN);
    Claim own = acquired(OTHER_KEY, ANN);
    assertThat(apply(under(put("no"), ofType))).isEqualTo(new ObjectOutcome.Bound(OTHER_KEY));
    written(under(put("yes"), own));
    written(under(named(put("yes"), OTHER), ofType));
  }

  @Test
  void a_binding_is_replaced_listed_and_taken_away() {
    assertThat(answer(objects().bind(ONE, KEY, OLGA))).isEmpty();
    assertThat(answer(objects().bind(ONE, OTHER_KEY, OLGA))).contains(KEY);
    assertThat(answer(objects().bind(ALL, KEY, OLGA))).isEmpty();
    assertThat(answer(objects().bindings(ObjectQuery.all("sandbox"))))
        .containsExactly(
            new Binding(ALL, KEY, OLGA, nowMillis()),
            new Binding(ONE, OTHER_KEY, OLGA, nowMillis()));
    assertThat(answer(objects().bindings(new ObjectQuery("sandbox", "a", 1))))
        .containsExactly(new Binding(ONE, OTHER_KEY, OLGA, nowMillis()));
    assertThat(answer(objects().unbind(ALL))).contains(KEY);
    assertThat(answer(objects().unbind(ONE))).contains(OTHER_KEY);
    assertThat(answer(objects().unbind(ONE))).isEmpty();
    written(put("free"));
  }

  @Test
  void a_binding_outlives_the_object() {
    answer(objects().bind(ONE, KEY, OLGA));
    Claim claim = acquired(KEY, ANN);
    written(under(put("one"), claim));
    deleted(under(delete(), claim));
    assertThat(apply(put("no"))).isEqualTo(new ObjectOutcome.Bound(KEY));
  }
}
