package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import java.util.List;

/** What an actor has around it. */
record Surroundings(
    SimStore store, Targets targets, Judge judge, List<LeaseKey> keys, Neighbours neighbours) {

  /** The other processes. */
  interface Neighbours {
    /** A living process other than this one, or this one where there is none. */
    Life other(Life than);

    /** It says that the store has lost writes: the operator hears of it, and restarts it. */
    void warned(Life life);

    /** Ends in order, and starts again. */
    void shutDown(Life life);

    /** A user's transaction in the store: it checks the lease and changes something. */
    void changeAtEffect(Tenancy tenancy);

    /** Until when nobody begins anything. */
    long quietUntilNanos();
  }
}
