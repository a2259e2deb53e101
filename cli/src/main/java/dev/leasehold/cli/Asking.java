package dev.leasehold.cli;

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

/** Asks a store, and turns what went wrong into the sentence that says so. */
final class Asking {
  private Asking() {}

  /**
   * One command, once: the store has sent it again by itself where that could help.
   *
   * @throws CommandFailedException if there is no outcome that a command could speak of
   */
  static Outcome one(LeaseStore store, Command command) {
    Outcome outcome;
    try {
      outcome = store.apply(List.of(command)).toCompletableFuture().join().getFirst();
    } catch (CompletionException e) {
      throw unknown(command, sentence(e), e);
    }
    return switch (outcome) {
      case Outcome.Failed(Certainty certainty, String detail) when certainty == Certainty.UNKNOWN ->
          throw unknown(command, detail, new IllegalStateException(detail));
      case Outcome.Failed failed ->
          throw new CommandFailedException(
              Exit.UNREACHABLE,
              "the store could not do it, and nothing was changed; try again: " + failed.detail());
      case Outcome.Rejected(String why) -> throw new CommandFailedException(Exit.REFUSED, why);
      default -> outcome;
    };
  }

  private static CommandFailedException unknown(Command command, String why, Throwable cause) {
    return new CommandFailedException(
        Exit.UNREACHABLE,
        "the store did not answer, and nobody knows what it did; see with: leasehold lease show "
            + command.key()
            + " ("
            + why
            + ")",
        cause);
  }

  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** What any failure comes to. */
  static CommandFailedException failure(Throwable thrown) {
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

  /** A driver says more than what made it fail: it knows what it was doing. */
  private static Throwable telling(Throwable thrown) {
    Throwable telling = root(thrown);
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      telling = next instanceof SQLException ? next : telling;
    }
    return telling;
  }

  /** Drivers write several lines; the first says it. */
  private static String sentence(Throwable thrown) {
    if (root(thrown) instanceof TimeoutException) {
      return "it did not answer in time";
    }
    String message = thrown instanceof CompletionException ? root(thrown).getMessage() : null;
    String text = String.valueOf(message == null ? thrown.getMessage() : message);
    return text.lines().findFirst().orElse(thrown.getClass().getSimpleName());
  }
}
