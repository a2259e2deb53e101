package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.VersionedObject;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.output.JsonLine;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectReadings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code object get}: the bare payload, or JSON with the metadata. */
@Command(
    name = "get",
    description = "Print an object's payload, byte by byte; with --json, its version too.",
    footer = {"", "Example:", "  leasehold object get config web --store sqlite:leases.db"})
public final class GetObjectCommand extends ReadCommand {
  @Mixin final ObjectParameters about = new ObjectParameters();

  public GetObjectCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    Optional<VersionedObject> found =
        StoreCalls.await(Objects.of(store).read(List.of(about.name()))).getFirst();
    if (found.isEmpty()) {
      return print(new CommandResult(Exit.LOST, this::writeAbsent, "there is no " + about.name()));
    }
    VersionedObject object = found.get();
    if (options.json) {
      context.out().println(JsonLine.of(out -> writeFound(out, object)));
    } else {
      printBytes(object.payload().bytes());
    }
    return Exit.DONE;
  }

  private void writeAbsent(JsonOut out) {
    ObjectCommands.writeName(out.text("outcome", "absent"), about.name());
  }

  private static void writeFound(JsonOut out, VersionedObject object) {
    ObjectReadings.writeListed(out.text("outcome", "found"), object);
  }

  private void printBytes(byte[] bytes) {
    context.out().flush();
    try {
      context.streams().out().write(bytes);
      context.streams().out().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
