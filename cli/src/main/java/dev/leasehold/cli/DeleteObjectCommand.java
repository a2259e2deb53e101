package dev.leasehold.cli;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code object delete}: its versions go on when it is created again. */
@Command(
    name = "delete",
    description = "Delete an object.",
    footer = {"", "Example:", "  leasehold object delete config web --if-version N"})
final class DeleteObjectCommand extends StoreCommand {
  @Mixin final ObjectParameters about = new ObjectParameters();
  @Mixin final ClaimOptions under = new ClaimOptions();
  @Mixin final RequestOption request = new RequestOption();

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Delete only if the object is at this version.")
  Optional<Version> ifVersion = Optional.empty();

  DeleteObjectCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    ObjectCommand delete =
        new ObjectCommand.Delete(
            about.name(),
            ifVersion.map(Expectation::at).orElse(Expectation.ANYTHING),
            under.claim(),
            request.orRandom());
    return print(Objects.write(Objects.of(store), delete));
  }
}
