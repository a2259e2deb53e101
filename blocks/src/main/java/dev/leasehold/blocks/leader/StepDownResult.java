package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.Release;

/** The result of a request to step down. */
public sealed interface StepDownResult {
  /** The replica has stepped down, its work has ended, and the lease was released so. */
  record SteppedDown(Release release) implements StepDownResult {}

  /** The replica did not lead. */
  record NotLeading() implements StepDownResult {}
}
