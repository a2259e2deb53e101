package dev.leasehold.testkit.history;

import java.util.Comparator;
import java.util.List;

/** The faults of a run, as the checks ask about them. */
record Faults(
    List<Fault.RolledBack> rollbacks,
    List<Fault.IncarnationAdvanced> advances,
    boolean clockStepped) {

  static Faults of(List<Fault> faults) {
    return new Faults(
        only(Fault.RolledBack.class, faults),
        only(Fault.IncarnationAdvanced.class, faults).stream()
            .sorted(Comparator.comparingLong(Fault.IncarnationAdvanced::nanos))
            .toList(),
        faults.stream().anyMatch(Fault.ClockStepped.class::isInstance));
  }

  private static <T extends Fault> List<T> only(Class<T> kind, List<Fault> faults) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Whether a planned rollback may have undone the call, or come in its middle. */
  boolean mayHaveUndone(Call call) {
    for (Fault.RolledBack rollback : rollbacks) {
      if (call.returnedNanos() >= rollback.backupNanos()
          && call.calledNanos() <= rollback.restoredNanos()) {
        return true;
      }
    }
    return false;
  }
}
