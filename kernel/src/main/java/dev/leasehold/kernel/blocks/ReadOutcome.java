package dev.leasehold.kernel.blocks;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/** The result of a read: what was found, or that the store did not answer. */
sealed interface ReadOutcome<V> {
  /** What the store has. */
  record Found<V>(V value) implements ReadOutcome<V> {}

  /** The store did not answer. */
  record Failed<V>(Certainty certainty, String detail) implements ReadOutcome<V> {}

  default V orThrow() {
    return switch (this) {
      case Found<V>(V value) -> value;
      case Failed<V>(Certainty certainty, String detail) ->
          throw new StoreUnavailableException(certainty, detail);
    };
  }

  /** Reads change nothing, so none waits for another one of the same place. */
  static <K, V> CommandKind<K, K, ReadOutcome<V>> kind() {
    return new CommandKind<>() {
      @Override
      public Optional<K> place(K read) {
        return Optional.empty();
      }

      @Override
      public ReadOutcome<V> failed(Certainty certainty, String detail) {
        return new Failed<>(certainty, detail);
      }

      @Override
      public ReadOutcome<V> rejected(String why) {
        return failed(Certainty.NOT_APPLIED, why);
      }

      @Override
      public boolean isFinal(K read, ReadOutcome<V> outcome) {
        return outcome instanceof Found;
      }
    };
  }
}
