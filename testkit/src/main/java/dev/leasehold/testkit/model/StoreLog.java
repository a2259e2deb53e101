package dev.leasehold.testkit.model;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * All that a model store decided, in order; it is only ever added to. A restored snapshot does not
 * take anything back from it: what was decided was decided.
 */
public final class StoreLog {
  private final List<Entry> entries = new ArrayList<>();

  /** One thing that happened, at a store time. */
  public sealed interface Entry {
    long sequence();

    long atMillis();
  }

  /**
   * A command was decided.
   *
   * @param recordAfter what is on record since, or empty where there is none
   * @param changes what watchers were told
   */
  public record Decided(
      long sequence,
      long atMillis,
      Class<? extends Command> kind,
      LeaseKey key,
      Outcome outcome,
      Optional<LeaseRecord> recordAfter,
      List<LeaseChange> changes)
      implements Entry {
    public Decided {
      changes = List.copyOf(changes);
    }
  }

  /** An operator asked for a higher incarnation. */
  public record Advanced(long sequence, long atMillis, Advance.Outcome outcome) implements Entry {}

  /** The store was put back to an earlier state. */
  public record Restored(long sequence, long atMillis) implements Entry {}

  /** Everything so far; the view grows with the log. */
  public List<Entry> entries() {
    return Collections.unmodifiableList(entries);
  }

  long nextSequence() {
    return entries.size();
  }

  void add(Entry entry) {
    entries.add(entry);
  }
}
