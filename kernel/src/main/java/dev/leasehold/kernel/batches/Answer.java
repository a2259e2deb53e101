package dev.leasehold.kernel.batches;

/**
 * The outcome of a command, and when the attempt that was answered was sent: trust is counted from
 * there, never from the reply.
 */
public record Answer<O>(O outcome, long sentNanos) {
  /** The caller of one command. */
  @FunctionalInterface
  public interface Receiver<O> {
    void receive(Answer<O> answer);

    /** Whether the caller has withdrawn the command: one that was not sent yet is never sent. */
    default boolean isGone() {
      return false;
    }
  }
}
