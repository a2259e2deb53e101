package dev.leasehold.cli;

import dev.leasehold.cli.StorePlace.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** What every command on a store takes. */
final class StoreOptions {
  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "The store: sqlite:PATH, jdbc:postgresql://HOST/DB, jdbc:cockroachdb://HOST/DB or memory:.",
        "Else LEASEHOLD_STORE."
      })
  Optional<String> store = Optional.empty();

  @Option(
      names = "--schema",
      paramLabel = "auto|check",
      description = {
        "auto: create or upgrade the schema first; check: refuse if it is not there.",
        "Else LEASEHOLD_SCHEMA, else auto."
      })
  Optional<String> schema = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "A folder outside the store that keeps what was seen of it: a store that has gone back to",
        "an earlier state is found out. Else LEASEHOLD_DATA, else ./leasehold-data if it is there."
      })
  Optional<Path> data = Optional.empty();

  @Option(names = "--json", description = "Print JSON: one object, or one a line.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  StorePlace place(Function<String, Optional<String>> environment) {
    String url =
        store
            .or(() -> environment.apply("LEASEHOLD_STORE"))
            .orElseThrow(
                () ->
                    new CommandFailedException(
                        Exit.UNREACHABLE,
                        "there is no store to ask: add --store sqlite:leases.db (or another URL),"
                            + " or set LEASEHOLD_STORE to it"));
    return new StorePlace(url, schema(environment), data(environment), false);
  }

  /** One that nobody has named is used, but not made: not in whatever folder we are called from. */
  private Optional<Path> data(Function<String, Optional<String>> environment) {
    return data.or(() -> environment.apply("LEASEHOLD_DATA").map(Path::of))
        .or(() -> Optional.of(Path.of("leasehold-data")).filter(Files::isDirectory));
  }

  private Schema schema(Function<String, Optional<String>> environment) {
    String word = schema.or(() -> environment.apply("LEASEHOLD_SCHEMA")).orElse("auto");
    return switch (word) {
      case "auto" -> Schema.AUTO;
      case "check" -> Schema.CHECK;
      default ->
          throw new CommandFailedException(
              Exit.USAGE, "the schema setting is auto or check, not '" + word + "'");
    };
  }
}
