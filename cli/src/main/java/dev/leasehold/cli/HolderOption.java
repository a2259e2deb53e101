package dev.leasehold.cli;

import dev.leasehold.kernel.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Under which name a lease is taken. */
final class HolderOption {
  /** Where Linux says it. Shells know it too, but few tell the programs that they start. */
  private static final Path MACHINE = Path.of("/proc/sys/kernel/hostname");

  private static final int SHORT_NAME = 12;

  @Option(
      names = "--holder",
      paramLabel = "NAME",
      description =
          "Who takes it, for people. Else HOSTNAME, else the name of this machine, else something"
              + " random.")
  Optional<String> holder = Optional.empty();

  String name(Surroundings surroundings, Instance instance) {
    return holder
        .or(() -> surroundings.environment().apply("HOSTNAME").filter(text -> !text.isBlank()))
        .or(() -> machine(MACHINE))
        .orElseGet(() -> "holder-" + instance.id().text().substring(0, SHORT_NAME));
  }

  /** Asks nobody else: a name service could keep us waiting. */
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
