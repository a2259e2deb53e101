package dev.leasehold.testkit.history;

/** One invariant, judged for one key. A checker keeps nothing between keys. */
@FunctionalInterface
interface Checker {
  void check(KeyHistory history, Faults faults, Findings findings);
}
