package dev.leasehold.testkit.history;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The faults of a run, as the checks ask about them. */
record Faults(
    List<Fault.RolledBack> rollbacks,
    List<Fault.IncarnationAdvanced> advances,
    boolean clockStepped) {

  static Faults of(List<Fault> faults) {
    return new Faults(
        only(Fault.RolledBack.class, faults),
        only(Fault.IncarnationAdvanced.class, faults),
        faults.stream().anyMatch(Fault.ClockStepped.class::isInstance));
  }

  private static <T extends Fault> List<T> only(Class<T> kind, List<Fault> faults) {
    return faults.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The highest advance that its caller was told of before this time. */
  Optional<Fault.IncarnationAdvanced> advanceBefore(long nanos) {
    return advances.stream()
        .filter(advance -> advance.nanos() < nanos)
        .max(Comparator.comparingInt(Fault.IncarnationAdvanced::incarnation));
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
