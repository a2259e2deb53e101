package dev.leasehold.verification.linearizability;

/** What loss means for bound work, when one thing happens after another. */
public final class SequentialSignals {
  private boolean bound;
  private boolean lost;
  private boolean cancelled;

  public void bind() {
    bound = true;
    cancelled |= lost;
  }

  public void unbind() {
    bound = false;
  }

  public void lose() {
    lost = true;
    cancelled |= bound;
  }

  public boolean cancelled() {
    return cancelled;
  }
}
