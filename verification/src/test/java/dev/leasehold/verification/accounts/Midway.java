package dev.leasehold.verification.accounts;

import java.util.function.Consumer;

/** How far a holder is with a write, and what it does there. */
final class Midway {
  /** The progress of a write. If check and change are one transaction, both steps are inside it. */
  enum Step {
    BEFORE_THE_CHANGE,
    AFTER_THE_CHANGE
  }

  private volatile Consumer<Step> action = step -> {};

  void at(Step step) {
    action.accept(step);
  }

  void doAt(Consumer<Step> newAction) {
    action = newAction;
  }

  void doNothing() {
    action = step -> {};
  }
}
