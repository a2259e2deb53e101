package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import java.util.Optional;

/** What a store still remembers of one key beside its record. It does not change while deciding. */
public interface Recollection {
  /** The effect that this request had, if it had one and is remembered. */
  Optional<Remembered> effectOf(Remembered.Request request);

  /** How the grant of an earlier token ended, if that is remembered. */
  Optional<LossReason> endOf(Token token);
}
