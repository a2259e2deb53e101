package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.ObjectOutcomes;
import dev.leasehold.remote.wire.Problem;

/** Renders the outcome of an object command as an answer. */
final class ObjectAnswers {
  private ObjectAnswers() {}

  static ApiResponse of(ObjectCommand command, ObjectOutcome known) {
    ObjectOutcome outcome = BlockAnswers.told(ObjectCommand.KIND, known);
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
      case BlockOutcome ofAnyBlock ->
          BlockAnswers.problem(
              command, name, ofAnyBlock, out -> ObjectOutcomes.write(out, outcome));
    };
  }

  private static ApiResponse done(int status, ObjectOutcome outcome, Version version) {
    byte[] body = Json.write(out -> ObjectOutcomes.write(out, outcome));
    return new ApiResponse.Whole(status, ApiResponse.JSON, body).with(ObjectHeaders.tag(version));
  }

  private static ApiResponse problem(
      int status, String title, String detail, ObjectOutcome outcome) {
    return ApiResponse.problem(
        new Problem(status, title, detail), out -> ObjectOutcomes.write(out, outcome));
  }

  private static String found(ObjectOutcome.Conflict conflict) {
    return conflict.current().map(version -> " is at version " + version).orElse(" is not there");
  }
}
