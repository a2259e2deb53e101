package dev.leasehold.kernel;

import java.util.concurrent.FutureTask;

/** The end of one lease, and one task that can be bound to it. */
public final class SignalDoor {
  private final LossSignals signals = new LossSignals(Runnable::run);
  private final FutureTask<String> task = new FutureTask<>(() -> "never run");
  private volatile boolean bound;
  private volatile Lease.Binding binding = () -> {};

  /** Binds the task, unless it is bound; for one thread at a time, as is the closing. */
  public void bind() {
    if (!bound) {
      bound = true;
      binding = signals.bind(task);
    }
  }

  /** Closes the binding. */
  public void unbind() {
    binding.close();
    bound = false;
  }

  /** Tells of the loss. */
  public void lose() {
    signals.lost(new LossReason.Expired());
  }

  public boolean isCancelled() {
    return task.isCancelled();
  }
}
