package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.Release;

/** What stepping down came to. */
public sealed interface StepDownResult {
  /** It leads no longer, nothing of its work runs, and this became of the lease. */
  record SteppedDown(Release release) implements StepDownResult {}

  /** There was nothing to step down from. */
  record NotLeading() implements StepDownResult {}
}
