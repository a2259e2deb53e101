package dev.leasehold.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.remote.api.Member;
import dev.leasehold.remote.api.Schema;
import dev.leasehold.remote.api.Shape;

/** Compares what was written with the shape that the tables declare. */
final class Declared {
  private static final int MANY = 1_000;

  private Declared() {}

  static void check(Shape shape, Members written) {
    for (Member member : shape.members()) {
      if (written.has(member.name())) {
        check(member, written);
      } else {
        assertThat(member.required()).as("%s without %s", shape.name(), member.name()).isFalse();
      }
    }
    for (String name : written.names()) {
      assertThat(shape.member(name)).as("%s with %s", shape.name(), name).isPresent();
    }
  }

  private static void check(Member member, Members written) {
    String name = member.name();
    switch (member.schema()) {
      case Shape shape -> check(shape, written.object(name));
      case Schema.Words words -> assertThat(words.words()).as(name).contains(written.text(name));
      case Schema.Items(Shape shape) ->
          written.list(name, MANY).forEach(item -> check(shape, item));
      case Schema.Items items -> assertThat(written.has(name)).isTrue();
      case Schema.Basic.TEXT -> assertThat(written.text(name)).isNotNull();
      case Schema.Basic.NUMBER -> assertThat(written.number(name)).isNotNegative();
      case Schema.Basic.FLAG -> assertThat(written.flag(name, false)).isIn(true, false);
      case Schema.Basic.TEXTS -> assertThat(written.texts(name)).isNotNull();
      case Schema.Basic.ANY -> assertThat(written.has(name)).isTrue();
    }
  }
}
