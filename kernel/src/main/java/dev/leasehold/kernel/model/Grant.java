package dev.leasehold.kernel.model;

import dev.leasehold.fence.Token;

/**
 * One time of holding: one key, one instance, one token, from the acquire to its end. All times are
 * the store's.
 *
 * @param requestId the acquire, or the hand-over, that it came from
 */
public record Grant(
    Token token,
    InstanceId instanceId,
    RequestId requestId,
    Terms terms,
    long grantedAtMillis,
    long renewedAtMillis,
    long expiresAtMillis,
    Progress progress,
    Standing standing) {

  /**
   * Whether it has not ended: no other grant has followed, and it was neither released nor revoked.
   * Expiry alone does not end it.
   */
  public boolean isCurrent() {
    return !(standing instanceof Standing.Ended);
  }

  /** Whether it is current and its time has not run out, so that the key cannot be acquired. */
  public boolean isUnexpired(long nowMillis) {
    return standing instanceof Standing.Open && nowMillis < expiresAtMillis;
  }

  /** How long it lasts if it is not renewed; 0 when it has run out. */
  public long remainingMillis(long nowMillis) {
    return isUnexpired(nowMillis) ? expiresAtMillis - nowMillis : 0;
  }

  public Grant withStanding(Standing newStanding) {
    return new Grant(
        token,
        instanceId,
        requestId,
        terms,
        grantedAtMillis,
        renewedAtMillis,
        expiresAtMillis,
        progress,
        newStanding);
  }

  /**
   * Extends it to at least the ttl from now. It is never shortened, because the holder may trust
   * the answer to an earlier, longer renewal.
   */
  public Grant renewed(long ttlMillis, Progress newProgress, long nowMillis) {
    return new Grant(
        token,
        instanceId,
        requestId,
        terms.withTtlMillis(ttlMillis),
        grantedAtMillis,
        nowMillis,
        Math.max(expiresAtMillis, nowMillis + ttlMillis),
        newProgress,
        standing);
  }
}
