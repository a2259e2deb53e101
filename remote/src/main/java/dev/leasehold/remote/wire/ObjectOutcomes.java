package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What became of writes, as JSON: the words that an answer to one write has, too. */
public final class ObjectOutcomes {
  private ObjectOutcomes() {}

  /** In the order of the commands, each with its name. */
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
          ObjectName name = commands.get(i).name();
          write(ObjectCommands.writeName(item, name), outcomes.get(i));
        });
  }

  /** Of as many commands, in their order. */
  public static List<ObjectOutcome> readResults(Members members, int commands) {
    List<Members> results = members.list("results", Commands.MAX_ITEMS);
    if (results.size() != commands) {
      throw members.refusal("results", "has " + results.size() + " for " + commands + " commands");
    }
    return results.stream().map(ObjectOutcomes::read).toList();
  }

  private static void write(JsonOut out, ObjectOutcome outcome) {
    switch (outcome) {
      case ObjectOutcome.Created(Version version) ->
          out.text("outcome", "created").number("version", version.value());
      case ObjectOutcome.Replaced(Version version) ->
          out.text("outcome", "replaced").number("version", version.value());
      case ObjectOutcome.Deleted(Version version) ->
          out.text("outcome", "deleted").number("version", version.value());
      case ObjectOutcome.Absent absent -> out.text("outcome", "absent");
      case ObjectOutcome.Conflict(Optional<Version> current) -> {
        out.text("outcome", "conflict");
        current.ifPresent(version -> out.number("version", version.value()));
      }
      case ObjectOutcome.Refused(Admission.Refused why) -> {
        out.text("outcome", why instanceof Admission.Stale ? "stale" : "unissued");
        why.bound().ifPresent(token -> out.number("current", token.value()));
      }
      case ObjectOutcome.Bound bound ->
          out.text("outcome", "bound").text("key", bound.key().text());
      case ObjectOutcome.Rejected(String why) -> out.text("outcome", "rejected").text("why", why);
      case ObjectOutcome.Failed(Certainty certainty, String detail) ->
          out.text("outcome", "failed").text("certainty", certainty.name()).text("why", detail);
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
              case "stale" ->
                  new ObjectOutcome.Refused(
                      new Admission.Stale(members.counted("current", Token::new)));
              case "unissued" ->
                  new ObjectOutcome.Refused(new Admission.Unissued(current(members)));
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

  private static Optional<Token> current(Members members) {
    return members.has("current")
        ? Optional.of(members.counted("current", Token::new))
        : Optional.empty();
  }
}
