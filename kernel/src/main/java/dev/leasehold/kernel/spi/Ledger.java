package dev.leasehold.kernel.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Charters, seals and refusals, recorded for people beside the leases. The ledger decides nothing:
 * no command reads it, and a lease is acquired, renewed and lost without it.
 *
 * <p>Everything in it is bounded, and dated by the store's clock. Every call returns at once; its
 * stage fails when the store cannot be reached.
 */
public interface Ledger {
  /**
   * How many refusals are kept; those that point to a rollback are counted apart, up to the same
   * number.
   */
  int REFUSALS_KEPT = 1_000;

  /** How many differing charters of one kind are kept. */
  int CHARTERS_KEPT = 10;

  /** How many keys of one kind and target are kept with a failed seal. */
  int FAILED_SEALS_KEPT = 100;

  /**
   * Writes entries, in order. A caller may write the same entries again when it does not know
   * whether the first attempt took effect; that changes only their time.
   */
  CompletionStage<Void> write(List<LedgerEntry> entries);

  /** Reads the whole ledger. */
  CompletionStage<LedgerReading> read();
}
