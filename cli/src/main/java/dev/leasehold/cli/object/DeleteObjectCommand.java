package dev.leasehold.cli.object;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.cli.command.ClaimOptions;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.RequestOption;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Store;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code object delete}: deletes an object. Its versions continue if it is created again. */
@Command(
    name = "delete",
    description = "Delete an object.",
    footer = {"", "Example:", "  leasehold object delete config web --if-version N"})
public final class DeleteObjectCommand extends StoreCommand {
  @Mixin final ObjectParameters about = new ObjectParameters();
  @Mixin final ClaimOptions under = new ClaimOptions();
  @Mixin final RequestOption request = new RequestOption();

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Delete only if the object is at this version.")
  Optional<Version> ifVersion = Optional.empty();

  public DeleteObjectCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    ObjectCommand delete =
        new ObjectCommand.Delete(
            about.name(),
            ifVersion.map(Expectation::at).orElse(Expectation.ANYTHING),
            under.claim(),
            request.orRandom());
    return print(Objects.write(Objects.of(store), delete));
  }
}
