package dev.leasehold.verification.linearizability;

/** The sequential specification of loss for bound work. */
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
