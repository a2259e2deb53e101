package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;

/** What a store remembers of one key beside its record. It must not change during a decision. */
public interface RequestMemory {
  /** The effect of this request, if it had one and the store still remembers it. */
  Optional<Remembered> effectOf(Remembered.Request request);

  /** Why the grant of an earlier token ended, if the store still remembers it. */
  Optional<LossReason> endOf(Token token);
}
