package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Batches of object writes as JSON. Payloads are in base 64, because they can be any bytes. If a
 * request id is absent, the reader creates one, which then stands for one attempt.
 */
public final class ObjectCommands {
  private ObjectCommands() {}

  public static void writeBatch(JsonOut out, List<ObjectCommand> commands) {
    out.list("commands", commands, ObjectCommands::write);
  }

  private static void write(JsonOut out, ObjectCommand command) {
    switch (command) {
      case ObjectCommand.Put put -> {
        out.text("verb", "put");
        writeName(out, put.name()).text("payloadBase64", base64(put.payload()));
      }
      case ObjectCommand.Delete delete -> writeName(out.text("verb", "delete"), delete.name());
    }
    switch (command.expected()) {
      case Expectation.Anything anything -> {
        // This case needs no member.
      }
      case Expectation.Absence absence -> out.flag("ifAbsent", true);
      case Expectation.At(Version version) -> out.number("ifVersion", version.value());
    }
    command.claim().ifPresent(claim -> Claims.write(out, claim));
    out.text("requestId", command.requestId().text());
  }

  /**
   * Reads a batch.
   *
   * @param who the holder name for a token, if the command does not give one
   * @param check gets each command as it is read, and refuses it by an exception
   */
  public static List<ObjectCommand> readBatch(
      JsonIn in, String who, Consumer<ObjectCommand> check) {
    return in.batch(
            "commands",
            Commands.MAX_ITEMS,
            members -> {
              ObjectCommand command = members.together(() -> read(members, who));
              members.nothingElse();
              check.accept(command);
              return command;
            })
        .alone();
  }

  private static ObjectCommand read(Members members, String who) {
    ObjectName name = readName(members);
    Expectation expected = expected(members);
    Optional<Claim> claim = Claims.readIfAny(members, who);
    RequestId request = Commands.requestId(members);
    return switch (members.text("verb")) {
      case "put" -> new ObjectCommand.Put(name, payload(members), expected, claim, request);
      case "delete" -> new ObjectCommand.Delete(name, expected, claim, request);
      default -> throw members.refusal("verb", "no such verb is known");
    };
  }

  private static Expectation expected(Members members) {
    boolean absent = members.flag("ifAbsent", false);
    if (absent && members.has("ifVersion")) {
      throw members.refusal("ifVersion", "what is absent has no version");
    }
    return members
        .countedIfAny("ifVersion", Version::new)
        .map(Expectation::at)
        .orElse(absent ? Expectation.ABSENCE : Expectation.ANYTHING);
  }

  public static JsonOut writeName(JsonOut out, ObjectName name) {
    return out.text("type", name.type()).text("id", name.id());
  }

  public static ObjectName readName(Members members) {
    return members.together(() -> new ObjectName(members.text("type"), members.text("id")));
  }

  /** A type, and an id if the scope is one object. */
  public static JsonOut writeScope(JsonOut out, ObjectScope scope) {
    return out.text("type", scope.type()).textIfAny("id", scope.id());
  }

  public static ObjectScope readScope(Members members) {
    return members.together(
        () ->
            members.has("id")
                ? ObjectScope.one(readName(members))
                : ObjectScope.all(members.text("type")));
  }

  static String base64(Payload payload) {
    return Base64.getEncoder().encodeToString(payload.bytes());
  }

  static Payload payload(Members members) {
    return members.parsed(
        "payloadBase64",
        text -> {
          try {
            return Payload.of(Base64.getDecoder().decode(text));
          } catch (IllFormedException e) {
            throw e;
          } catch (IllegalArgumentException e) {
            throw new IllFormedException("must be base 64, with its padding");
          }
        });
  }
}
