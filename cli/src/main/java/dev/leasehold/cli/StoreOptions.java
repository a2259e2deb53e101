package dev.leasehold.cli;

import dev.leasehold.cli.StorePlace.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
      names = "--server",
      paramLabel = "URL",
      description = {
        "Through a server instead: http://HOST:PORT or https://HOST:PORT; several, with commas,",
        "if they serve one store. Else LEASEHOLD_SERVER, else http://127.0.0.1:7420.",
        "An API key is taken from LEASEHOLD_API_KEY."
      })
  Optional<String> server = Optional.empty();

  @Option(
      names = "--trust",
      paramLabel = "FILE",
      description = {
        "Certificates (PEM) to know an https server by, instead of those of the JDK.",
        "Else LEASEHOLD_TRUST."
      })
  Optional<Path> trust = Optional.empty();

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

  /** Where this command asks; with nothing said, at the server that is usually there. */
  LeasePlace place(Function<String, Optional<String>> environment) {
    if (store.isPresent() && server.isPresent()) {
      throw new CommandFailedException(Exit.USAGE, "it is either --store or --server");
    }
    if (store.isPresent()) {
      return at(store.get(), environment);
    }
    if (server.isPresent()) {
      return servers(server.get(), environment, false);
    }
    Optional<String> usualStore = environment.apply("LEASEHOLD_STORE");
    Optional<String> usualServer = environment.apply("LEASEHOLD_SERVER");
    if (usualStore.isPresent() && usualServer.isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE,
          "LEASEHOLD_STORE and LEASEHOLD_SERVER are both set: say which by --store or --server");
    }
    return usualStore
        .map(url -> (LeasePlace) at(url, environment))
        .orElseGet(
            () ->
                servers(usualServer.orElse(ServerPlace.USUAL), environment, usualServer.isEmpty()));
  }

  /** For what needs the database itself: a table to guard, a schema, API keys. */
  StorePlace storePlace(Function<String, Optional<String>> environment, String what) {
    if (server.isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE, what + " the database itself, and not a server: use --store URL");
    }
    return store
        .or(() -> environment.apply("LEASEHOLD_STORE"))
        .map(url -> at(url, environment))
        .orElseThrow(
            () ->
                new CommandFailedException(
                    Exit.UNREACHABLE,
                    what
                        + " the database itself: add --store sqlite:leases.db (or another URL), or"
                        + " set LEASEHOLD_STORE to it"));
  }

  private StorePlace at(String url, Function<String, Optional<String>> environment) {
    return new StorePlace(url, schema(environment), data(environment), false);
  }

  private ServerPlace servers(
      String urls, Function<String, Optional<String>> environment, boolean assumed) {
    return new ServerPlace(
        List.of(urls.split(",", -1)),
        environment.apply("LEASEHOLD_API_KEY"),
        trust.or(() -> environment.apply("LEASEHOLD_TRUST").map(Path::of)),
        assumed);
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
