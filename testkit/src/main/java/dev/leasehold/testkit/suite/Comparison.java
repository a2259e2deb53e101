package dev.leasehold.testkit.suite;

import java.util.List;

/**
 * What {@link Differential} has to know of one block. A block whose reference is opened like the
 * store under test uses {@link SideBySide}.
 *
 * @param <S> one thing done to the store and to the reference; a value, so that it can be replayed
 */
public interface Comparison<S> {
  /** Opens a store and a reference whose clocks show this time. */
  Trial<S> begin(long startMillis);

  /** How many commands a step has that could be left out of it. */
  default int parts(S step) {
    return 1;
  }

  /** The step without one of its parts; asked for only while it has several. */
  default S without(S step, int part) {
    return step;
  }

  /**
   * Ways to leave out the step at this place by changing later ones, which could not stand without
   * it: where later steps name a token that it issued, for instance.
   */
  default List<List<S>> rewritten(List<S> steps, int at) {
    return List.of();
  }

  /** The steps, as a person reads them. */
  default List<String> lines(List<S> steps, long startMillis) {
    return steps.stream().map(Object::toString).toList();
  }
}
