package dev.leasehold.store.jdbc.interleaving;

import java.util.List;

/** What is run again and again, each time in another order. */
public interface Scene {
  /** Puts everything back to where it begins, and says who acts. */
  List<Actor> begin() throws Exception;

  /** Judges what came of it; throws an AssertionError where it must not be. */
  void judge() throws Exception;
}
