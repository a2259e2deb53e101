package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Admission;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.ObjectOutcomes;
import dev.leasehold.remote.wire.Problem;
import java.lang.System.Logger.Level;
import java.util.stream.Stream;

/** Renders the outcome of an object command as an answer. */
final class ObjectAnswers {
  private static final System.Logger LOG = System.getLogger(ObjectAnswers.class.getName());

  private static final String FAILED = "the store could not execute it";

  private ObjectAnswers() {}

  static Answer of(ObjectCommand command, ObjectOutcome outcome) {
    RequestSpans.outcome(ObjectOutcomes.word(outcome));
    String name = command.name().toString();
    return switch (outcome) {
      case ObjectOutcome.Created created -> done(Status.CREATED, outcome, created.version());
      case ObjectOutcome.Replaced replaced -> done(Status.OK, outcome, replaced.version());
      case ObjectOutcome.Deleted deleted -> done(Status.OK, outcome, deleted.version());
      case ObjectOutcome.Absent absent ->
          problem(Status.NOT_FOUND, "Not found", "there is no object " + name, outcome);
      case ObjectOutcome.Conflict conflict ->
          problem(Status.WRONG_VERSION, "Other version", name + found(conflict), outcome);
      case ObjectOutcome.Refused refused ->
          problem(Status.CONFLICT, "Token refused", refused(command, refused.why()), outcome);
      case ObjectOutcome.Bound bound ->
          problem(
              Status.CONFLICT,
              "Bound",
              name + " is written under " + bound.key() + " only: bring its current token",
              outcome);
      case ObjectOutcome.Rejected rejected ->
          problem(Status.FORBIDDEN, "Rejected", rejected.why(), outcome);
      case ObjectOutcome.Failed failed -> failed(failed);
    };
  }

  private static Answer done(int status, ObjectOutcome outcome, Version version) {
    byte[] body = Json.write(out -> ObjectOutcomes.write(out, outcome));
    return new Answer.Whole(status, Answer.JSON, body).with(ObjectHeaders.tag(version));
  }

  private static Answer problem(int status, String title, String detail, ObjectOutcome outcome) {
    return Answer.problem(
        new Problem(status, title, detail), out -> ObjectOutcomes.write(out, outcome));
  }

  private static String found(ObjectOutcome.Conflict conflict) {
    return conflict.current().map(version -> " is at version " + version).orElse(" is not there");
  }

  private static String refused(ObjectCommand command, Admission.Refused why) {
    String claimed =
        command.claim().map(claim -> claim.token() + " of " + claim.key()).orElse("(none)");
    return "token "
        + claimed
        + switch (why) {
          case Admission.Stale stale -> " is not, or no longer, a current grant";
          case Admission.Unissued unissued -> " belongs to no grant";
        };
  }

  /** Removes the reason why a store failed: it may name machines, and stands in the log. */
  private static Answer failed(ObjectOutcome.Failed failed) {
    LOG.log(Level.WARNING, "the store has failed a write: {0}", failed.detail());
    ObjectOutcome told = new ObjectOutcome.Failed(failed.certainty(), FAILED);
    return Answer.problem(
        ProblemException.failed(Stream.of(failed.certainty())).problem(),
        out -> ObjectOutcomes.write(out, told));
  }
}
