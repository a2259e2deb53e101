package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import org.jspecify.annotations.Nullable;

/**
 * I1: at any store time a key has at most one unexpired grant.
 *
 * <p>Walks the log and asks of each new grant whether an earlier one still lasted, by its expiry
 * after renewals or by its end, whichever came first. What counts is what the log had shown by
 * then: a release that was written after the new grant does not excuse it.
 */
final class ExclusionChecker implements Checker {
  @Override
  public void check(KeyHistory history, Faults faults, Findings findings) {
    Walk walk = new Walk(faults, findings);
    history.log().forEach(walk::step);
  }

  private static final class Walk {
    private final Faults faults;
    private final Findings findings;
    private final Tenure tenure = new Tenure();

    // The latest moment at which a grant that is no longer the current one was unexpired.
    private long busyUntilMillis = Long.MIN_VALUE;
    private @Nullable LogEntry busiest;

    Walk(Faults faults, Findings findings) {
      this.faults = faults;
      this.findings = findings;
    }

    void step(LogEntry entry) {
      switch (entry.effect()) {
        case LogEntry.HandedOver handedOver -> {
          closeAt(tenure.isCurrent(handedOver.given()) ? entry.storeMillis() : Long.MAX_VALUE);
          judge(entry, handedOver.token());
        }
        case LogEntry.Granted granted -> {
          closeAt(Long.MAX_VALUE);
          judge(entry, granted.token());
        }
        default -> follow(entry);
      }
    }

    private void judge(LogEntry entry, Token token) {
      LogEntry before = busiest;
      if (before != null && incarnation(before) < token.incarnation()) {
        // The advance ended every grant of the time before, and its hold-off covered their trust.
        forget();
      } else if (before != null && entry.storeMillis() < busyUntilMillis) {
        findings.report(
            Invariant.I1,
            String.format(
                "token %s of %s was granted at store time %d, while an earlier grant lasted until"
                    + " %d",
                token, entry.key(), entry.storeMillis(), busyUntilMillis),
            before,
            entry);
      }
      tenure.apply(entry);
    }

    private void follow(LogEntry entry) {
      LogEntry before = tenure.begun().orElse(null);
      long expiresAtMillis = tenure.expiresAtMillis();
      tenure.apply(entry);
      boolean purged = entry.effect() instanceof LogEntry.Purged;
      if (before != null && tenure.begun().isEmpty()) {
        // Forgetting a grant does not shorten it.
        close(before, purged ? expiresAtMillis : Math.min(expiresAtMillis, entry.storeMillis()));
      }
      if (purged && faults.clockStepped()) {
        // With its record went the memory of how far the key's time had come; after a step back
        // only the order of tokens can be judged.
        forget();
      }
    }

    /** The current grant lasts no longer than this. */
    private void closeAt(long endMillis) {
      tenure
          .begun()
          .ifPresent(begun -> close(begun, Math.min(tenure.expiresAtMillis(), endMillis)));
    }

    private void close(LogEntry begun, long endMillis) {
      if (endMillis > busyUntilMillis) {
        busyUntilMillis = endMillis;
        busiest = begun;
      }
    }

    private void forget() {
      busyUntilMillis = Long.MIN_VALUE;
      busiest = null;
    }

    private static int incarnation(LogEntry begun) {
      return begun.effect() instanceof LogEntry.Beginning beginning
          ? beginning.token().incarnation()
          : 0;
    }
  }
}
