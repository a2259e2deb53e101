package dev.leasehold.server.http;

import dev.leasehold.fence.Admission;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Problem;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** How outcomes that commands of every block can have are told to a caller. */
final class BlockAnswers {
  private static final System.Logger LOG = System.getLogger(BlockAnswers.class.getName());

  private BlockAnswers() {}

  /** Removes the reason why a store failed: it may name machines, and stands in the log. */
  static <O> O told(CommandKind<?, ?, O> kind, O outcome) {
    if (outcome instanceof BlockOutcome.Failed failed) {
      LOG.log(Level.WARNING, "the store has failed a command: {0}", failed.detail());
      return kind.failed(failed.certainty(), "the store could not execute it");
    }
    return outcome;
  }

  /**
   * The outcomes of a batch, once all are there. If that takes too long, commands that have not
   * been sent yet are withdrawn.
   */
  static <O> List<O> outcomes(Call call, CommandKind<?, ?, O> kind, List<CompletionStage<O>> asked)
      throws InterruptedException {
    List<CompletableFuture<O>> futures =
        asked.stream().map(CompletionStage::toCompletableFuture).toList();
    List<CompletableFuture<O>> known =
        futures.stream()
            .map(
                one ->
                    one.exceptionally(
                        e -> kind.failed(Certainty.UNKNOWN, String.valueOf(e.getMessage()))))
            .toList();
    try {
      call.await(
          CompletableFuture.allOf(known.toArray(CompletableFuture[]::new)).thenApply(all -> true));
      return known.stream().map(one -> told(kind, one.join())).toList();
    } finally {
      futures.forEach(one -> one.cancel(false));
    }
  }

  /** The answer to a batch: a problem, if the store has failed every command of it. */
  static ApiResponse ofBatch(List<?> outcomes, Consumer<JsonOut> results) {
    List<Certainty> failed =
        outcomes.stream()
            .filter(BlockOutcome.Failed.class::isInstance)
            .map(outcome -> ((BlockOutcome.Failed) outcome).certainty())
            .toList();
    boolean away = !outcomes.isEmpty() && failed.size() == outcomes.size();
    return away
        ? ApiResponse.problem(ProblemException.failed(failed.stream()).problem(), results)
        : ApiResponse.json(results);
  }

  /**
   * The answer to a command that changed nothing.
   *
   * @param what the row that the command is about, for people
   */
  static ApiResponse problem(
      FencedCommand command, String what, BlockOutcome outcome, Consumer<JsonOut> members) {
    Problem problem =
        switch (outcome) {
          case BlockOutcome.Refused refused ->
              new Problem(Status.CONFLICT, "Token refused", refused(command, refused.why()));
          case BlockOutcome.Bound bound ->
              new Problem(
                  Status.CONFLICT,
                  "Bound",
                  what + " is written under " + bound.key() + " only: bring its current token");
          case BlockOutcome.Rejected rejected ->
              new Problem(Status.FORBIDDEN, "Rejected", rejected.why());
          case BlockOutcome.Failed failed ->
              ProblemException.failed(Stream.of(failed.certainty())).problem();
          default -> throw new IllegalArgumentException("no outcome of every block: " + outcome);
        };
    return ApiResponse.problem(problem, members);
  }

  private static String refused(FencedCommand command, Admission.Refused why) {
    String claimed =
        command.claim().map(claim -> claim.token() + " of " + claim.key()).orElse("(none)");
    return "token "
        + claimed
        + switch (why) {
          case Admission.Stale stale -> " is not, or no longer, a current grant";
          case Admission.Unissued unissued -> " belongs to no grant";
        };
  }
}
