package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Admission;
import dev.leasehold.kernel.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Outcomes of object writes as JSON, in the words that the answer to a single write uses. */
public final class ObjectOutcomes {
  private ObjectOutcomes() {}

  /** In the order of the commands, each with its object's name. */
  public static void writeResults(
      JsonOut out, List<ObjectCommand> commands, List<ObjectOutcome> outcomes) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      places.add(i);
    }
    out.list(
        "results",
        places,
        (item, i) -> {
          writeResult(item, commands.get(i).name(), outcomes.get(i));
        });
  }

  /** The outcome of one write, with the name of its object. */
  public static void writeResult(JsonOut out, ObjectName name, ObjectOutcome outcome) {
    write(ObjectCommands.writeName(out, name), outcome);
  }

  /** As many outcomes as there are commands, in their order. */
  public static List<ObjectOutcome> readResults(Members members, int commands) {
    List<Members> results = members.list("results", Commands.MAX_ITEMS);
    if (results.size() != commands) {
      throw members.refusal("results", "has " + results.size() + " for " + commands + " commands");
    }
    return results.stream().map(ObjectOutcomes::read).toList();
  }

  public static String word(ObjectOutcome outcome) {
    return switch (outcome) {
      case ObjectOutcome.Created created -> "created";
      case ObjectOutcome.Replaced replaced -> "replaced";
      case ObjectOutcome.Deleted deleted -> "deleted";
      case ObjectOutcome.Absent absent -> "absent";
      case ObjectOutcome.Conflict conflict -> "conflict";
      case ObjectOutcome.Refused refused -> Refusals.word(refused.why());
      case ObjectOutcome.Bound bound -> "bound";
      case ObjectOutcome.Rejected rejected -> "rejected";
      case ObjectOutcome.Failed failed -> "failed";
    };
  }

  public static void write(JsonOut out, ObjectOutcome outcome) {
    if (outcome instanceof ObjectOutcome.Refused(Admission.Refused why)) {
      Refusals.write(out, why);
      return;
    }
    out.text("outcome", word(outcome));
    switch (outcome) {
      case ObjectOutcome.Written written -> out.number("version", written.version().value());
      case ObjectOutcome.Deleted deleted -> out.number("version", deleted.version().value());
      case ObjectOutcome.Conflict conflict ->
          conflict.current().ifPresent(version -> out.number("version", version.value()));
      case ObjectOutcome.Bound bound -> out.text("key", bound.key().text());
      case ObjectOutcome.Rejected rejected -> out.text("why", rejected.why());
      case ObjectOutcome.Failed failed ->
          out.text("certainty", failed.certainty().name()).text("why", failed.detail());
      default -> {
        // The word says it all.
      }
    }
  }

  private static ObjectOutcome read(Members members) {
    return members.together(
        () ->
            switch (members.text("outcome")) {
              case "created" -> new ObjectOutcome.Created(version(members));
              case "replaced" -> new ObjectOutcome.Replaced(version(members));
              case "deleted" -> new ObjectOutcome.Deleted(version(members));
              case "absent" -> new ObjectOutcome.Absent();
              case "conflict" ->
                  new ObjectOutcome.Conflict(
                      members.has("version") ? Optional.of(version(members)) : Optional.empty());
              case "stale", "unissued" -> new ObjectOutcome.Refused(Refusals.read(members));
              case "bound" -> new ObjectOutcome.Bound(Commands.key(members));
              case "rejected" -> new ObjectOutcome.Rejected(members.text("why"));
              case "failed" ->
                  new ObjectOutcome.Failed(Outcomes.certainty(members), members.text("why"));
              default -> throw members.refusal("outcome", "no such outcome is known");
            });
  }

  static Version version(Members members) {
    return members.counted("version", Version::new);
  }
}
