package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/**
 * What batches need to know of a block's commands, so that gathering, rounds and retries are
 * written once for all blocks.
 *
 * @param <K> the place of a command: a key, the name of an object, the id of a task
 * @param <C> a command
 * @param <O> its outcome
 */
public interface CommandKind<K, C, O> {
  /** Commands on one place take effect in order; one without a place waits behind no other. */
  Optional<K> place(C command);

  /** How much payload it carries; none, if commands are small. */
  default long bytes(C command) {
    return 0;
  }

  /** The outcome of a command that the store did not carry out, or did not answer. */
  O failed(Certainty certainty, String detail);

  /** The outcome of a command that the store will never accept from this sender. */
  O rejected(String why);

  /**
   * Whether the outcome still holds if an earlier copy of the command, which the sender got no
   * answer to, arrives after it. If not, the sender must report the outcome as unknown.
   */
  boolean isFinal(C command, O outcome);
}
