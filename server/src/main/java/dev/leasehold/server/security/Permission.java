package dev.leasehold.server.security;

/** What an API key allows. No permission implies another. */
public enum Permission {
  /** Look at leases, watch them, read the audit. */
  READ,
  /** Acquire, renew, release, hand over; admit and seal at fences. */
  HOLD,
  /** Revoke and reopen, and what concerns the whole store. */
  OPERATE
}
