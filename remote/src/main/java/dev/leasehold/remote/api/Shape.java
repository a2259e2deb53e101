package dev.leasehold.remote.api;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An object with known members. The name is unique among all tables: it is the name of a shared
 * component in the OpenAPI document.
 */
public record Shape(String name, List<Member> members) implements Schema {
  public Shape {
    members = List.copyOf(members);
  }

  static Shape of(String name, Member... members) {
    return new Shape(name, List.of(members));
  }

  /** A page: its items, and the start of the next page if there is more. */
  static Shape page(String name, Schema item) {
    return of(
        name,
        Member.list("items", item),
        Member.text("next").about("goes into after; absent on the last page").optional());
  }

  /** The outcomes of several commands, in their order. */
  static Shape results(String name, Shape result) {
    return of(name, Member.list("results", result));
  }

  /** A shape with all these members and more. */
  Shape and(String newName, Member... more) {
    return new Shape(newName, Stream.concat(members.stream(), Stream.of(more)).toList());
  }

  public Optional<Member> member(String wanted) {
    return members.stream().filter(member -> member.name().equals(wanted)).findFirst();
  }
}
