package dev.leasehold.store.jdbc.interleaving;

import java.util.List;

/** A test that is run repeatedly, each time in another order. */
public interface Scenario {
  /** Resets everything to the start, and returns the actors. */
  List<Actor> begin() throws Exception;

  /** Judges the result; throws an AssertionError if it is wrong. */
  void judge() throws Exception;
}
