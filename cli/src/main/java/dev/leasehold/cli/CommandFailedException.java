package dev.leasehold.cli;

/** A command that ends here. The message is the sentence for people. */
final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;

  CommandFailedException(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  CommandFailedException(Exit exit, String message, Throwable cause) {
    super(message, cause);
    this.exit = exit;
  }

  Exit exit() {
    return exit;
  }
}
