package dev.leasehold.cli.command;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.GivenValue;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.cli.place.ServerPlace;
import dev.leasehold.cli.place.StorePlace;
import dev.leasehold.cli.place.StorePlace.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The options of all commands on a store. */
public final class StoreOptions extends ConfigOptions {
  @Option(names = "--json", description = "Print JSON: one object, or one a line.")
  public boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  public StoreOptions() {
    super(Setting.ofCommands());
  }

  /**
   * The place that this command asks. A flag that names a store or a server goes first, then the
   * environment, then the file. A file that names both means the server, which uses that store. If
   * nothing is set, it is the server at its default address.
   */
  public LeasePlace place(CommandContext context) {
    Config config = config(context);
    for (Function<Setting, Optional<GivenValue>> source :
        List.<Function<Setting, Optional<GivenValue>>>of(
            config::givenByFlag, config::givenByVariable)) {
      Optional<GivenValue> store = source.apply(Setting.STORE);
      Optional<GivenValue> server = source.apply(Setting.SERVER);
      if (store.isPresent() && server.isPresent()) {
        throw new CommandFailedException(
            Exit.USAGE,
            store.get().from()
                + " and "
                + server.get().from()
                + " are both given: say which, by --store or --server");
      }
      if (store.isPresent()) {
        return at(store.get().text(), config, context);
      }
      if (server.isPresent()) {
        return servers(server.get().text(), config, context);
      }
    }
    Optional<GivenValue> server = config.given(Setting.SERVER);
    Optional<GivenValue> store = config.given(Setting.STORE);
    return server.isEmpty() && store.isPresent()
        ? at(store.get().text(), config, context)
        : servers(config.text(Setting.SERVER), config, context);
  }

  /** For commands that need the database itself: guards of tables, the schema, API keys. */
  public StorePlace storePlace(CommandContext context, String what) {
    Config config = config(context);
    if (config.givenByFlag(Setting.SERVER).isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE, what + " the database itself, and not a server: use --store URL");
    }
    return config
        .given(Setting.STORE)
        .map(url -> at(url.text(), config, context))
        .orElseThrow(
            () ->
                new CommandFailedException(
                    Exit.UNREACHABLE,
                    what
                        + " the database itself: add --store "
                        + StorePlace.servedIn(config.text(Setting.DATA))
                        + " (the file of leasehold serve, or another URL), or set LEASEHOLD_STORE"
                        + " to it"));
  }

  private static StorePlace at(String url, Config config, CommandContext context) {
    sayIfByFile(Setting.STORE, config, context);
    return new StorePlace(
        url, Schema.of(config.text(Setting.SCHEMA)), data(config, context), false);
  }

  private ServerPlace servers(String urls, Config config, CommandContext context) {
    sayIfByFile(Setting.SERVER, config, context);
    Optional<String> apiKey = context.environment().apply("LEASEHOLD_API_KEY");
    if (apiKey.isPresent() && namedFile(context).isEmpty()) {
      config.givenByFile(Setting.SERVER).ifPresent(by -> refuseKey("names", by, Setting.SERVER));
      config.givenByFile(Setting.TRUST).ifPresent(by -> refuseKey("trusts", by, Setting.TRUST));
    }
    return new ServerPlace(
        List.of(urls.split(",", -1)),
        apiKey,
        config.given(Setting.TRUST).map(given -> Path.of(given.text())),
        config.given(Setting.SERVER).isEmpty());
  }

  /**
   * Otherwise, any user who can write to the folder that a command is called from would get the
   * key.
   */
  private static void refuseKey(String does, GivenValue by, Setting setting) {
    throw new CommandFailedException(
        Exit.USAGE,
        "the API key in LEASEHOLD_API_KEY is not sent to a server that only "
            + by.from()
            + " "
            + does
            + ", a file that the command line does not name: name it by --config or"
            + " LEASEHOLD_CONFIG, or the "
            + setting.path()
            + " by "
            + setting.flag().orElseThrow()
            + " or "
            + setting.variable());
  }

  /**
   * A data folder that the caller has not named is used if it exists, but not created in the folder
   * that the command is called from.
   */
  private static Optional<Path> data(Config config, CommandContext context) {
    return config
        .given(Setting.DATA)
        .map(given -> Path.of(given.text()))
        .or(
            () ->
                Optional.of(context.folder().resolve(config.text(Setting.DATA)))
                    .filter(Files::isDirectory));
  }
}
