package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import java.util.List;

/** The environment of an actor. */
record ActorContext(
    SimStore store, Targets targets, Judge judge, List<LeaseKey> keys, Neighbours neighbours) {

  /** The other processes. */
  interface Neighbours {
    /** A running process other than this one, or this one if there is no other. */
    SimProcess other(SimProcess than);

    /**
     * The process reports that the store has lost writes; the operator gets the report, and
     * restarts the process.
     */
    void warned(SimProcess process);

    /** Ends in order, and starts again. */
    void shutDown(SimProcess process);

    /** A user's transaction in the store: it checks the lease and changes something. */
    void changeAtEffect(HeldLeaseView view);

    /** Until when no actor begins anything. */
    long quietUntilNanos();
  }
}
