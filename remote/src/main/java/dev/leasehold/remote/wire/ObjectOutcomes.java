package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.BlockOutcome;
import java.util.List;

/** Outcomes of object writes as JSON, in the words that the answer to a single write uses. */
public final class ObjectOutcomes {
  private static final BlockOutcomes.Refusing<ObjectOutcome> REFUSING =
      new BlockOutcomes.Refusing<>(ObjectOutcome.Refused::new, ObjectOutcome.Bound::new);

  private ObjectOutcomes() {}

  /** In the order of the commands, each with its object's name. */
  public static void writeResults(
      JsonOut out, List<ObjectCommand> commands, List<ObjectOutcome> outcomes) {
    Results.write(
        out,
        commands,
        outcomes,
        (item, command, outcome) -> writeResult(item, command.name(), outcome));
  }

  /** The outcome of one write, with the name of its object. */
  public static void writeResult(JsonOut out, ObjectName name, ObjectOutcome outcome) {
    write(ObjectCommands.writeName(out, name), outcome);
  }

  /** As many outcomes as there are commands, in their order. */
  public static List<ObjectOutcome> readResults(Members members, int commands) {
    return Results.read(members, commands, ObjectOutcomes::read);
  }

  public static String word(ObjectOutcome outcome) {
    return switch (outcome) {
      case ObjectOutcome.Created created -> "created";
      case ObjectOutcome.Replaced replaced -> "replaced";
      case ObjectOutcome.Deleted deleted -> "deleted";
      case ObjectOutcome.Absent absent -> "absent";
      case ObjectOutcome.Conflict conflict -> "conflict";
      case BlockOutcome ofAnyBlock -> BlockOutcomes.word(ofAnyBlock);
    };
  }

  public static void write(JsonOut out, ObjectOutcome outcome) {
    out.text("outcome", word(outcome));
    switch (outcome) {
      case ObjectOutcome.Written written -> out.number("version", written.version().value());
      case ObjectOutcome.Deleted deleted -> out.number("version", deleted.version().value());
      case ObjectOutcome.Conflict conflict ->
          conflict.current().ifPresent(version -> out.number("version", version.value()));
      case BlockOutcome ofAnyBlock -> BlockOutcomes.writeDetails(out, ofAnyBlock);
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
                  new ObjectOutcome.Conflict(members.countedIfAny("version", Version::new));
              default -> BlockOutcomes.read(members, ObjectCommand.KIND, REFUSING);
            });
  }

  static Version version(Members members) {
    return members.counted("version", Version::new);
  }
}
