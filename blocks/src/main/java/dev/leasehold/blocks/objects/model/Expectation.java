package dev.leasehold.blocks.objects.model;

import dev.leasehold.kernel.model.Version;

/** What a write expects to find. If it finds another state, it changes nothing. */
public sealed interface Expectation {
  Expectation ANYTHING = new Anything();
  Expectation ABSENCE = new Absence();

  static Expectation at(Version version) {
    return new At(version);
  }

  /** Any object, or none. */
  record Anything() implements Expectation {}

  /** No object: never created, or deleted. */
  record Absence() implements Expectation {}

  /** The object at exactly this version. */
  record At(Version version) implements Expectation {}
}
