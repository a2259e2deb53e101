package dev.leasehold.kernel.spi;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.RequestId;
import java.util.Optional;

/** A command that changes a row of a block, and may be made under a lease. */
public interface FencedCommand {
  /** The lease that it is made under; checked together with the change. */
  Optional<Claim> claim();

  /** A caller that got no answer sends the command again under the same id. */
  RequestId requestId();

  /** What it writes to, as observers are told: the block, and a kind of row. */
  String target();

  /** What observers are told if it was refused for its token, or for bringing none. */
  default Optional<LeaseEvent.Refused> refusal(Object outcome) {
    Optional<LeaseKey> key =
        switch (outcome) {
          case BlockOutcome.Refused refused -> claim().map(Claim::key);
          case BlockOutcome.Bound bound -> Optional.of(bound.key());
          default -> Optional.empty();
        };
    return key.map(of -> new LeaseEvent.Refused(of, claim().map(Claim::token), target()));
  }
}
