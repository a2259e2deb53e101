package dev.leasehold.store.jdbc.changes;

import java.util.List;

/** What the change feed needs to know of a command's result. */
public interface Committed<C> {
  List<C> changes();

  /** Whether no other process listened at the commit. */
  boolean isUnheard();

  static <C> List<C> changes(List<? extends Committed<C>> settled) {
    return settled.stream().flatMap(one -> one.changes().stream()).toList();
  }
}
