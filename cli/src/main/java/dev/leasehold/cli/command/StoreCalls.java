package dev.leasehold.cli.command;

import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.RemoteStoreException;
import dev.leasehold.store.jdbc.effects.GuardNotAllowedException;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/** Sends commands to a store, and turns failures into messages for the user. */
public final class StoreCalls {
  private StoreCalls() {}

  /**
   * Sends one command once; the store itself repeats it where that can help.
   *
   * @throws CommandFailedException if there is no outcome to report
   */
  public static Outcome one(LeaseStore store, Command command) {
    return known(command, send(store, command).toCompletableFuture().join());
  }

  /** Sends one command once; an exception from the store becomes a failed outcome. */
  public static CompletionStage<Outcome> send(LeaseStore store, Command command) {
    return store
        .apply(List.of(command))
        .thenApply(List::getFirst)
        .exceptionally(e -> new Outcome.Failed(Certainty.UNKNOWN, sentence(e)));
  }

  /**
   * Returns an outcome that the command can report.
   *
   * @throws CommandFailedException if the store failed or rejected it
   */
  public static Outcome known(Command command, Outcome outcome) {
    if (outcome instanceof BlockOutcome ofAnyBlock) {
      throw failed(ofAnyBlock, "look it up with: leasehold lease show " + command.key());
    }
    return outcome;
  }

  /**
   * A command that the store failed or rejected.
   *
   * @param advice what the caller can do if the outcome is unknown
   */
  static CommandFailedException failed(BlockOutcome outcome, String advice) {
    return switch (outcome) {
      case BlockOutcome.Failed failed when failed.certainty() == Certainty.UNKNOWN ->
          new CommandFailedException(
              Exit.UNREACHABLE,
              "the store did not answer, so the outcome is unknown; "
                  + advice
                  + " ("
                  + failed.detail()
                  + ")");
      case BlockOutcome.Failed failed ->
          new CommandFailedException(
              Exit.UNREACHABLE,
              "the store could not do it, and nothing was changed; try again: " + failed.detail());
      case BlockOutcome.Rejected rejected ->
          new CommandFailedException(Exit.REFUSED, rejected.why());
      default -> throw new IllegalStateException("the store answered with " + outcome);
    };
  }

  public static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** Converts any failure. */
  public static CommandFailedException failure(Throwable thrown) {
    Throwable known = thrown instanceof CompletionException ? root(thrown) : thrown;
    if (known instanceof CommandFailedException failed) {
      return failed;
    }
    if (known instanceof IllegalArgumentException) {
      return new CommandFailedException(Exit.USAGE, sentence(known), known);
    }
    if (known instanceof StoreUnusableException unusable) {
      Exit exit = unusable.isUnreachable() ? Exit.UNREACHABLE : Exit.REFUSED;
      return new CommandFailedException(exit, sentence(known), known);
    }
    if (known instanceof RemoteStoreException remote) {
      Exit exit = remote.isUnreachable() ? Exit.UNREACHABLE : Exit.REFUSED;
      return new CommandFailedException(exit, sentence(known), known);
    }
    if (known instanceof GuardNotAllowedException) {
      return new CommandFailedException(Exit.REFUSED, sentence(known), known);
    }
    if (root(known) instanceof TimeoutException || telling(known) instanceof SQLException) {
      return new CommandFailedException(
          Exit.UNREACHABLE, "the store cannot be reached: " + sentence(telling(known)), known);
    }
    return new CommandFailedException(
        Exit.UNEXPECTED,
        "this should not happen; LEASEHOLD_DEBUG=1 shows where it did: " + known,
        known);
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** The driver's own exception says more than its cause, because it names the operation. */
  private static Throwable telling(Throwable thrown) {
    Throwable telling = root(thrown);
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      telling = next instanceof SQLException ? next : telling;
    }
    return telling;
  }

  /** Drivers write several lines; the first one is the message. */
  private static String sentence(Throwable thrown) {
    if (root(thrown) instanceof TimeoutException) {
      return "it did not answer in time";
    }
    String message = thrown instanceof CompletionException ? root(thrown).getMessage() : null;
    String text = String.valueOf(message == null ? thrown.getMessage() : message);
    return text.lines().findFirst().orElse(thrown.getClass().getSimpleName());
  }
}
