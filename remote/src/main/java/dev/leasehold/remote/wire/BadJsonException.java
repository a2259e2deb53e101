package dev.leasehold.remote.wire;

/** Bytes that are not the expected JSON. The message names the member and its bound. */
public final class BadJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadJsonException(String message) {
    super(message);
  }
}
