package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;

/**
 * A grant that a later one has followed, for people.
 *
 * @param grantedAtMillis by the store's clock
 * @param followedAtMillis when the next grant began; this one may have ended long before
 */
public record PastGrant(
    Token token,
    InstanceId instanceId,
    String holder,
    String purpose,
    String region,
    long grantedAtMillis,
    long followedAtMillis,
    LossReason end) {}
