package dev.leasehold.store.jdbc.interleaving;

import java.util.Locale;

/** A possible next event: a step of an actor, or the end of its wait. */
sealed interface Move {
  char actor();

  /** The actor sends what it has announced. */
  record Step(char actor) implements Move {
    @Override
    public String toString() {
      return String.valueOf(actor);
    }
  }

  /** The server ends the actor's wait with this SQL state. */
  record End(char actor, String sqlState) implements Move {
    @Override
    public String toString() {
      return String.valueOf(actor).toLowerCase(Locale.ROOT);
    }
  }
}
