package dev.leasehold.kernel.batches;

import java.util.List;

/** Sends batches to the store. Answers come back as separate events, at most one for each batch. */
@FunctionalInterface
public interface Wire<C, O> {
  void send(List<C> batch, Reply<O> reply);

  /** Receives the answer to a batch, if one arrives. */
  interface Reply<O> {
    void answered(List<O> outcomes);

    /** The store could not be reached: the commands may or may not have taken effect. */
    void failed(String why);
  }
}
