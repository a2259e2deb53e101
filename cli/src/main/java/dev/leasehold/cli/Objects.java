package dev.leasehold.cli;

import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.RemoteLeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.util.List;
import java.util.Optional;

/** What the commands on objects have in common. */
final class Objects {
  private Objects() {}

  static ObjectStore of(LeaseStore store) {
    return switch (store) {
      case JdbcLeaseStore kept -> kept.objects();
      case MemoryLeaseStore memory -> new MemoryObjectStore(memory);
      case RemoteLeaseStore remote -> remote.objects();
      default -> throw new CommandFailedException(Exit.USAGE, "this store keeps no objects");
    };
  }

  static Json json(String outcome, ObjectName name) {
    return new Json().with("outcome", outcome).with("type", name.type()).with("id", name.id());
  }

  /** What is known of an object beside its payload. */
  static Json json(Json json, VersionedObject object) {
    return json.with("version", object.version().value())
        .with("size", object.payload().size())
        .with("createdAtMs", object.createdAtMillis())
        .with("updatedAtMs", object.updatedAtMillis());
  }

  static Answer write(ObjectStore store, ObjectCommand command) {
    ObjectOutcome outcome = Asking.await(store.apply(List.of(command))).getFirst();
    ObjectName name = command.name();
    return switch (outcome) {
      case ObjectOutcome.Created(Version version) -> done("created", name, version);
      case ObjectOutcome.Replaced(Version version) -> done("replaced", name, version);
      case ObjectOutcome.Deleted(Version version) -> done("deleted", name, version);
      case ObjectOutcome.Absent absent ->
          new Answer(Exit.DONE, json("absent", name), "there was no " + name);
      case ObjectOutcome.Conflict(Optional<Version> current) -> conflict(name, current);
      case ObjectOutcome.Refused(Admission.Refused why) ->
          refused(name, command.claim().orElseThrow(), why);
      case ObjectOutcome.Bound bound ->
          new Answer(
              Exit.REFUSED,
              json("bound", name).with("key", bound.key().text()),
              name
                  + " is bound to "
                  + bound.key()
                  + ": bring its current token by --key and --token");
      case ObjectOutcome.Rejected(String why) ->
          throw new CommandFailedException(Exit.REFUSED, why);
      case ObjectOutcome.Failed(Certainty certainty, String detail) ->
          throw failed(command, certainty, detail);
    };
  }

  private static Answer done(String outcome, ObjectName name, Version version) {
    return new Answer(
        Exit.DONE,
        json(outcome, name).with("version", version.value()),
        outcome + " " + name + " at version " + version);
  }

  private static Answer conflict(ObjectName name, Optional<Version> current) {
    Json json = json("conflict", name);
    current.ifPresent(version -> json.with("version", version.value()));
    return new Answer(
        Exit.LOST,
        json,
        current
            .map(version -> name + " is at version " + version + ", and nothing was changed")
            .orElseGet(() -> "there is no " + name + ", and nothing was changed"));
  }

  private static Answer refused(ObjectName name, Claim claim, Admission.Refused why) {
    String outcome = why instanceof Admission.Stale ? "stale" : "unissued";
    Json json =
        json(outcome, name).with("key", claim.key().text()).with("token", claim.token().value());
    why.bound().ifPresent(current -> json.with("current", current.value()));
    String sentence =
        why instanceof Admission.Stale
            ? " is no longer current: nothing was changed"
            : " was never issued by this store: nothing was changed";
    return new Answer(Exit.LOST, json, "token " + claim.token() + " of " + claim.key() + sentence);
  }

  private static CommandFailedException failed(
      ObjectCommand command, Certainty certainty, String detail) {
    return new CommandFailedException(
        Exit.UNREACHABLE,
        certainty == Certainty.UNKNOWN
            ? "the store did not answer, and nobody knows what it did; send it again with"
                + " --request-id "
                + command.requestId()
                + " ("
                + detail
                + ")"
            : "the store could not do it, and nothing was changed; try again: " + detail);
  }
}
