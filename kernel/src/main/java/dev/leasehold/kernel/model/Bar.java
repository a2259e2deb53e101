package dev.leasehold.kernel.model;

/** An instance that may not acquire the key for a while, because an operator revoked its grant. */
public record Bar(InstanceId instanceId, String reason, long untilMillis) {
  public boolean stops(InstanceId candidate, long nowMillis) {
    return nowMillis < untilMillis && instanceId.equals(candidate);
  }
}
