package dev.leasehold.cli.command;

import dev.leasehold.kernel.model.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The holder name of a lease. */
public final class HolderOption {
  /**
   * The host name on Linux. Shells know it too, but few export it to the programs that they start.
   */
  private static final Path MACHINE = Path.of("/proc/sys/kernel/hostname");

  private static final int SHORT_NAME = 12;

  @Option(
      names = "--holder",
      paramLabel = "NAME",
      description =
          "The holder's name, for people. Else HOSTNAME, else the name of this machine, else"
              + " something random.")
  Optional<String> holder = Optional.empty();

  public String name(CommandContext context, Instance instance) {
    return holder
        .or(() -> context.environment().apply("HOSTNAME").filter(text -> !text.isBlank()))
        .or(() -> machine(MACHINE))
        .orElseGet(() -> "holder-" + instance.id().text().substring(0, SHORT_NAME));
  }

  /** Does not use a name service, which could block. */
  static Optional<String> machine(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(name -> !name.isEmpty());
    } catch (IOException e) {
      System.getLogger(HolderOption.class.getName())
          .log(System.Logger.Level.DEBUG, "this machine does not say its name", e);
      return Optional.empty();
    }
  }
}
