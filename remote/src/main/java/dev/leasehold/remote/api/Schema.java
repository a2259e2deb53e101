package dev.leasehold.remote.api;

import java.util.List;

/** The type of a JSON value. */
public sealed interface Schema permits Schema.Basic, Schema.Words, Schema.Items, Shape {
  /** A value whose parts, if any, the table does not describe. */
  enum Basic implements Schema {
    TEXT,
    /** An integer of at most 64 bits. */
    NUMBER,
    FLAG,
    /** An object whose members all have texts as values, under any names. */
    TEXTS,
    /** Any JSON value. */
    ANY
  }

  /** One of these texts. */
  record Words(List<String> words) implements Schema {
    public Words {
      words = List.copyOf(words);
    }
  }

  /** An array. */
  record Items(Schema item) implements Schema {}
}
