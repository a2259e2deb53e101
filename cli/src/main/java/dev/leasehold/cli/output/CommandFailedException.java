package dev.leasehold.cli.output;

/** Ends a command. The message is the sentence for the user. */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;

  public CommandFailedException(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  public CommandFailedException(Exit exit, String message, Throwable cause) {
    super(message, cause);
    this.exit = exit;
  }

  public Exit exit() {
    return exit;
  }
}
