package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;

/** The way to the store. Answers come back as events of their own, at most once a batch. */
@FunctionalInterface
public interface Wire {
  void send(List<Command> batch, Reply reply);

  /** What comes back, if anything does. */
  interface Reply {
    void answered(List<Outcome> outcomes);

    /** The store could not be reached: what became of the commands is not known. */
    void failed(String why);
  }
}
