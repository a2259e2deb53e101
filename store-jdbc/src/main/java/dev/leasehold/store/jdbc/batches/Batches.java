package dev.leasehold.store.jdbc.batches;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Brings the commands of one table to the database. */
@FunctionalInterface
public interface Batches<C, S> {
  /** Carries out a batch and settles each command, in order. */
  CompletionStage<List<S>> apply(List<C> batch);
}
