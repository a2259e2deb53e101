package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import java.util.List;

/** One thing done to a store and to the model alike. */
sealed interface LeaseStep {
  /** The clock is set, forward or back. */
  record SetClock(long toMillis) implements LeaseStep {}

  /** A batch is sent. */
  record Send(List<Command> batch) implements LeaseStep {
    public Send {
      batch = List.copyOf(batch);
    }
  }

  /** All dead keys are purged. */
  record Sweep(long deadForMillis) implements LeaseStep {}

  /** An operator asks for a higher incarnation. */
  record Raise(Advance advance) implements LeaseStep {}

  /** From here on another process asks, as after a restart: through the other handle. */
  record ChangeHandle() implements LeaseStep {}

  /** Everything is listed, in pages of this size. */
  record ListAll(int pageSize) implements LeaseStep {}
}
