package dev.leasehold.cli;

import dev.leasehold.blocks.objects.VersionedObject;
import dev.leasehold.kernel.spi.LeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code object get}: the payload as it is, or in JSON with what is known of it. */
@Command(
    name = "get",
    description = "Print an object's payload, byte by byte; with --json, its version too.",
    footer = {"", "Example:", "  leasehold object get config web --store sqlite:leases.db"})
final class GetObjectCommand extends LookingCommand {
  @Mixin final ObjectParameters about = new ObjectParameters();

  GetObjectCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
    Optional<VersionedObject> found =
        Asking.await(Objects.of(store).read(List.of(about.name()))).getFirst();
    if (found.isEmpty()) {
      return print(
          new Answer(
              Exit.LOST, Objects.json("absent", about.name()), "there is no " + about.name()));
    }
    if (options.json) {
      surroundings.out().println(json(found.get()));
    } else {
      printBytes(found.get().payload().bytes());
    }
    return Exit.DONE;
  }

  private void printBytes(byte[] bytes) {
    surroundings.out().flush();
    try {
      surroundings.streams().out().write(bytes);
      surroundings.streams().out().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Text as text; what is none, in base 64. */
  private Json json(VersionedObject object) {
    Json json = Objects.json(Objects.json("found", about.name()), object);
    byte[] bytes = object.payload().bytes();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return json.with("payload", text);
    } catch (CharacterCodingException e) {
      return json.with("payloadBase64", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
