package dev.leasehold.kernel.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What people have to know of charters, seals and refusals, kept beside the leases. The ledger
 * decides nothing: no command reads it, and a lease is had, kept and lost without it.
 *
 * <p>Everything in it is bounded, and dated by the store's clock. Every call returns at once; its
 * stage fails when the store cannot be reached.
 */
public interface Ledger {
  /** How many refusals are kept, and as many again of those that point to a rollback. */
  int REFUSALS_KEPT = 1_000;

  /** How many differing charters of one kind are kept. */
  int CHARTERS_KEPT = 10;

  /** For how many keys of one kind and target it is kept that they could not be sealed. */
  int FAILED_SEALS_KEPT = 100;

  /**
   * Writes entries down, in order. The same entries may be written again when nobody knows what
   * became of the first attempt; that changes nothing but the time.
   */
  CompletionStage<Void> write(List<LedgerEntry> entries);

  /** All of it. */
  CompletionStage<LedgerReading> read();
}
