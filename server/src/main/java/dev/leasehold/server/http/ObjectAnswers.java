package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectPage;
import dev.leasehold.fence.Admission;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Problem;
import java.lang.System.Logger.Level;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What became of an object, as an answer. */
final class ObjectAnswers {
  private static final System.Logger LOG = System.getLogger(ObjectAnswers.class.getName());

  private ObjectAnswers() {}

  static Answer of(ObjectCommand command, ObjectOutcome outcome) {
    String name = command.name().toString();
    return switch (outcome) {
      case ObjectOutcome.Created created -> done(Status.CREATED, "created", created.version());
      case ObjectOutcome.Replaced replaced -> done(Status.OK, "replaced", replaced.version());
      case ObjectOutcome.Deleted deleted -> done(Status.OK, "deleted", deleted.version());
      case ObjectOutcome.Absent absent ->
          problem(
              new Problem(Status.NOT_FOUND, "Not found", "there is no object " + name),
              out -> out.text("outcome", "absent"));
      case ObjectOutcome.Conflict conflict -> conflict(name, conflict);
      case ObjectOutcome.Refused refused -> refused(command, refused.why());
      case ObjectOutcome.Bound bound ->
          problem(
              new Problem(
                  Status.CONFLICT,
                  "Bound",
                  name + " is written under " + bound.key() + " only: bring its current token"),
              out -> out.text("outcome", "bound").text("key", bound.key().text()));
      case ObjectOutcome.Rejected rejected ->
          problem(
              new Problem(Status.FORBIDDEN, "Rejected", rejected.why()),
              out -> out.text("outcome", "rejected"));
      case ObjectOutcome.Failed failed -> failed(failed);
    };
  }

  private static Answer done(int status, String outcome, Version version) {
    byte[] body =
        Json.write(out -> out.text("outcome", outcome).number("version", version.value()));
    return new Answer.Whole(status, Answer.JSON, body).with(ObjectHeaders.tag(version));
  }

  private static Answer problem(Problem problem, Consumer<JsonOut> beside) {
    return Answer.problem(problem, beside);
  }

  private static Answer conflict(String name, ObjectOutcome.Conflict conflict) {
    String found = conflict.current().map(version -> "at version " + version).orElse("not there");
    return problem(
        new Problem(Status.WRONG_VERSION, "Other version", name + " is " + found),
        out -> {
          out.text("outcome", "conflict");
          conflict.current().ifPresent(version -> out.number("version", version.value()));
        });
  }

  private static Answer refused(ObjectCommand command, Admission.Refused why) {
    String claimed =
        command.claim().map(claim -> claim.token() + " of " + claim.key()).orElse("(none)");
    boolean stale = why instanceof Admission.Stale;
    return problem(
        new Problem(
            Status.CONFLICT,
            "Token refused",
            "token "
                + claimed
                + (stale ? " is not, or no longer, a current grant" : " belongs to no grant")),
        out -> {
          out.text("outcome", stale ? "stale" : "unissued");
          why.bound().ifPresent(bound -> out.number("current", bound.value()));
        });
  }

  /** Why a store failed is for the log: it may name machines. */
  private static Answer failed(ObjectOutcome.Failed failed) {
    LOG.log(Level.WARNING, "the store has failed a write: {0}", failed.detail());
    return problem(
        ProblemException.failed(Stream.of(failed.certainty())).problem(),
        out -> out.text("outcome", "failed").text("certainty", failed.certainty().name()));
  }

  static void writePage(JsonOut out, ObjectPage page) {
    out.list("items", page.items(), ObjectAnswers::write);
    out.text("next", page.next());
  }

  /** What was not put as JSON is given in letters that JSON can hold. */
  private static void write(JsonOut out, VersionedObject object) {
    byte[] bytes = object.payload().bytes();
    out.text("id", object.name().id()).number("version", object.version().value());
    if (Json.isWellFormed(bytes)) {
      out.json("payload", bytes);
    } else {
      out.text("payloadBase64", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
