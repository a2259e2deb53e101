package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.cli.command.ClaimOptions;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code object put}: writes the standard input as an object. */
@Command(
    name = "put",
    description = "Write an object: the payload comes on the standard input, or from --file.",
    footer = {
      "",
      "Examples:",
      "  leasehold object put config web --file web.json --if-absent",
      "  leasehold object put config web --if-version N --key leader/config --token T < web.json"
    })
public final class PutObjectCommand extends StoreCommand {
  @Mixin final ObjectParameters about = new ObjectParameters();
  @Mixin final ClaimOptions under = new ClaimOptions();
  @Mixin final RequestOption request = new RequestOption();

  @Option(names = "--file", paramLabel = "FILE", description = "Read the payload from this file.")
  Optional<Path> file = Optional.empty();

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Write only if the object is at this version.")
  Optional<Version> ifVersion = Optional.empty();

  @Option(names = "--if-absent", description = "Write only if there is no such object.")
  boolean ifAbsent;

  public PutObjectCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    ObjectCommand put =
        new ObjectCommand.Put(
            about.name(), payload(), expected(), under.claim(), request.orRandom());
    return print(Objects.write(Objects.of(store), put));
  }

  private Expectation expected() {
    if (ifAbsent && ifVersion.isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE, "--if-absent and --if-version exclude each other");
    }
    return ifAbsent
        ? Expectation.ABSENCE
        : ifVersion.map(Expectation::at).orElse(Expectation.ANYTHING);
  }

  private Payload payload() {
    byte[] bytes;
    try {
      bytes = file.isPresent() ? readFile(file.get()) : read(context.streams().in());
    } catch (NoSuchFileException e) {
      throw new CommandFailedException(Exit.USAGE, "there is no file " + e.getFile(), e);
    } catch (IOException e) {
      throw new CommandFailedException(
          Exit.USAGE, "the payload cannot be read: " + e.getMessage(), e);
    }
    if (bytes.length > Payload.MAX_BYTES) {
      throw new CommandFailedException(
          Exit.USAGE,
          "the payload is too large: an object has " + Payload.MAX_BYTES + " bytes at the most");
    }
    return Payload.of(bytes);
  }

  private static byte[] readFile(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return read(in);
    }
  }

  /**
   * Reads one byte more than is allowed, to notice a payload that is too large without reading all
   * of it.
   */
  private static byte[] read(InputStream in) throws IOException {
    return in.readNBytes(Payload.MAX_BYTES + 1);
  }
}
