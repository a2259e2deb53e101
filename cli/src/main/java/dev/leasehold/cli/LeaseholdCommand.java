package dev.leasehold.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code leasehold} alone. */
@Command(
    name = "leasehold",
    mixinStandardHelpOptions = true,
    versionProvider = LeaseholdCommand.Version.class,
    description = "Temporary authority, with fences that hold.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  export LEASEHOLD_STORE=sqlite:leases.db",
      "  leasehold lease acquire lock/nightly-report --ttl 5m",
      "  leasehold lease list --json",
      "",
      "Exit codes: 0 done, 2 usage, 3 held by another or closed for a while, 4 lost or"
          + " stale, 5 store unreachable, 6 refused, 7 holes found (audit, doctor)."
    })
final class LeaseholdCommand extends CommandGroup {
  /** Of the build that this class came from. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"leasehold " + number()};
    }

    static String number() {
      try (InputStream in = LeaseholdCommand.class.getResourceAsStream("version.txt")) {
        if (in == null) {
          throw new IllegalStateException("the build left no version.txt");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
      } catch (IOException e) {
        throw new UncheckedIOException("version.txt cannot be read", e);
      }
    }
  }
}
