package dev.leasehold.blocks.objects;

/** What a write expects to find. If it finds something else, it changes nothing. */
public sealed interface Expectation {
  Expectation ANYTHING = new Anything();
  Expectation ABSENCE = new Absence();

  static Expectation at(Version version) {
    return new At(version);
  }

  /** Whatever is there, or nothing. */
  record Anything() implements Expectation {}

  /** No object: never created, or deleted. */
  record Absence() implements Expectation {}

  /** The object at this very version. */
  record At(Version version) implements Expectation {}
}
