package dev.leasehold.remote.api;

import dev.leasehold.remote.api.Schema.Basic;
import java.util.List;

/**
 * One member of an object, or one parameter.
 *
 * @param about a description beyond the name; may be empty
 */
public record Member(String name, Schema schema, String about, boolean required) {
  static Member text(String name) {
    return of(name, Basic.TEXT);
  }

  static Member number(String name) {
    return of(name, Basic.NUMBER);
  }

  static Member flag(String name) {
    return of(name, Basic.FLAG);
  }

  static Member texts(String name) {
    return of(name, Basic.TEXTS);
  }

  static Member words(String name, String... words) {
    return of(name, new Schema.Words(List.of(words)));
  }

  static Member list(String name, Schema item) {
    return of(name, new Schema.Items(item));
  }

  static Member of(String name, Schema schema) {
    return new Member(name, schema, "", true);
  }

  Member about(String newAbout) {
    return new Member(name, schema, newAbout, required);
  }

  Member optional() {
    return new Member(name, schema, about, false);
  }

  /** The same kind of value under another name. */
  Member as(String newName) {
    return new Member(newName, schema, about, required);
  }
}
