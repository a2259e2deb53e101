package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import java.util.Optional;

/**
 * The latest grant of a key that a witness has seen.
 *
 * @param instanceId the holder; empty if a witness file of the first version has only the token
 */
public record SeenGrant(Token token, Optional<InstanceId> instanceId) {
  /** The later of two grants; of the same grant, the entry with more information. */
  SeenGrant and(SeenGrant other) {
    if (token.equals(other.token)) {
      return instanceId.isPresent() ? this : other;
    }
    return other.token.isAbove(token) ? other : this;
  }
}
