package dev.leasehold.remote.api;

/** What an operation requires of its caller. */
public enum Access {
  /** Nothing: no API key is needed. */
  OPEN,
  /** Any API key; the operation checks the key's permissions and prefixes for each item. */
  ANY_KEY,
  /** An API key with permission to read. */
  READ,
  /** An API key with permission to hold. */
  HOLD,
  /** An API key with permission to operate. */
  OPERATE
}
