package dev.leasehold.remote.api;

/** What an operation asks of its caller. */
public enum Access {
  /** Nothing: no API key is needed. */
  OPEN,
  /** Any API key; the operation checks what the key allows for each thing that is asked. */
  ANY_KEY,
  /** An API key that allows to read. */
  READ,
  /** An API key that allows to hold. */
  HOLD,
  /** An API key that allows to operate. */
  OPERATE
}
