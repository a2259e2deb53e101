package dev.leasehold.remote;

import dev.leasehold.remote.wire.BadJsonException;

/**
 * No server could be reached, or the server that answered refused. The message names the server and
 * the reason.
 */
public final class RemoteStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unreachable;

  private RemoteStoreException(String message, boolean unreachable) {
    super(message);
    this.unreachable = unreachable;
  }

  static RemoteStoreException unreachable(String message) {
    return new RemoteStoreException(message, true);
  }

  static RemoteStoreException refused(String message) {
    return new RemoteStoreException(message, false);
  }

  /** The program that answers is no Leasehold server, or one of another version. */
  static RemoteStoreException senseless(Servers servers, BadJsonException e) {
    return unreachable(servers + ": the answer is not a leasehold server's: " + e.getMessage());
  }

  /** Whether no answer came, so that the same call may succeed later. */
  public boolean isUnreachable() {
    return unreachable;
  }
}
