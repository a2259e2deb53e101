package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import java.util.List;

/** The environment of an actor. */
record ActorContext(
    SimStore store, Targets targets, Judge judge, List<LeaseKey> keys, Neighbours neighbours) {

  /** The other processes. */
  interface Neighbours {
    /** A running process other than this one, or this one if there is no other. */
    Life other(Life than);

    /**
     * The process reports that the store has lost writes; the operator gets the report, and
     * restarts the process.
     */
    void warned(Life life);

    /** Ends in order, and starts again. */
    void shutDown(Life life);

    /** A user's transaction in the store: it checks the lease and changes something. */
    void changeAtEffect(Tenancy tenancy);

    /** Until when no actor begins anything. */
    long quietUntilNanos();
  }
}
