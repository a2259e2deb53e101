package dev.leasehold.kernel;

import dev.leasehold.kernel.model.LossReason;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;

/** The end of one lease, and one task that can be bound to it. */
public final class SignalAccess {
  private final LossSignals signals = new LossSignals(Runnable::run);
  private final FutureTask<String> task = new FutureTask<>(() -> "never run");
  private volatile boolean bound;
  private volatile Lease.Binding binding = () -> {};

  /** Binds the task, unless it is bound. Binding and unbinding are for one thread at a time. */
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

  /** Binds another thread. */
  public Lease.Binding bind(Thread thread) {
    return signals.bind(thread);
  }

  /** Completes with the loss. */
  public CompletionStage<LossReason> whenLost() {
    return signals.whenLost();
  }

  /** Tells of the loss. */
  public void lose() {
    signals.lost(new LossReason.Expired());
  }

  public boolean isCancelled() {
    return task.isCancelled();
  }
}
