package dev.leasehold.remote.api;

import java.util.List;

/** What kind of JSON value a member has. */
public sealed interface Schema permits Schema.Basic, Schema.Words, Schema.Items, Shape {
  /** A value without parts that the table knows. */
  enum Basic implements Schema {
    TEXT,
    /** An integer of 64 bits at the most. */
    NUMBER,
    FLAG,
    /** An object whose members are all texts, under any names. */
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
