package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.model.LeaseCharter;
import java.util.List;

/**
 * The content of a ledger.
 *
 * @param atMillis the store's time when it was read
 * @param charters in the order of kinds, the one published last first
 * @param seals in the order of kind and target, the seal before the failures, these by key
 * @param refusals newest first
 */
public record LedgerReading(
    long atMillis,
    List<Charter> charters,
    List<Seal> seals,
    List<Refusal> refusals,
    TableFacts tables) {
  public LedgerReading {
    charters = List.copyOf(charters);
    seals = List.copyOf(seals);
    refusals = List.copyOf(refusals);
  }

  /**
   * A charter that processes apply, or have applied.
   *
   * @param holder the holder that published it last
   */
  public record Charter(
      LeaseCharter charter, String holder, long firstAtMillis, long lastAtMillis) {}

  /** The last seal of a target, or its last failure. */
  public record Seal(LedgerEntry.Sealing what, long atMillis) {}

  /** A claim that was refused. */
  public record Refusal(LedgerEntry.Refused what, long atMillis) {}
}
