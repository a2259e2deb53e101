package dev.leasehold.verification.simulation;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.function.Consumer;

/** Carries out batches for one process: at once, or over connections that may have to wait. */
interface Carrier {
  void carryOut(Batch batch, Consumer<List<Outcome>> done);

  /**
   * A batch that was sent.
   *
   * @param late whether its sender may have given up waiting
   */
  record Batch(SimWire.Lane lane, List<Command> commands, boolean late) {}
}
