package dev.leasehold.kernel;

import dev.leasehold.fence.Token;

/**
 * One tenure of one key by one instance under one token, from its acquisition to its end. All times
 * are the store's.
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

  /** Not ended: nobody has followed, released or revoked it. Expiry alone does not end it. */
  public boolean isCurrent() {
    return !(standing instanceof Standing.Ended);
  }

  /** Current, and its time has not run out: the key is not to be had. */
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
   * Extended to at least the ttl from now. It is never cut short: an answer to an earlier, longer
   * renewal may be what the holder trusts.
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
