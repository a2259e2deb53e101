package dev.leasehold.cli.serve;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ConfigOptions;
import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.GivenValue;
import dev.leasehold.cli.config.ListenAddress;
import dev.leasehold.cli.config.PrintedConfig;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.StorePlace;
import dev.leasehold.cli.place.StorePlace.Schema;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerBounds;
import dev.leasehold.server.ServerBuilder;
import dev.leasehold.store.jdbc.ServeLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code serve}: serves leases over HTTP until the process is asked to end. */
@Command(
    name = "serve",
    description = "Serve leases over HTTP, from an embedded SQLite file or another store.",
    footer = {
      "",
      "Any address but loopback requires TLS and API keys: make keys with leasehold key create.",
      "",
      "Examples:",
      "  leasehold serve",
      "  leasehold serve --config /etc/leasehold.yaml --print-config",
      "  leasehold serve --store jdbc:postgresql://db/app --listen 127.0.0.1:7421"
    })
public final class ServeCommand implements Callable<Integer> {
  @Mixin final ConfigOptions options = new ConfigOptions(Setting.ofServer());

  @Option(
      names = "--print-config",
      description = "Print all settings and the source of each, and serve nothing.")
  boolean printConfig;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  private final CommandContext context;

  public ServeCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws InterruptedException {
    Config config = options.config(context);
    if (printConfig) {
      PrintedConfig.of(config).forEach(context.out()::println);
      return Exit.DONE.code();
    }
    options
        .file(context)
        .ifPresent(file -> context.err().println("leasehold: configured by " + file));
    ConfigOptions.sayIfByFile(Setting.STORE, config, context);
    Path folder = context.folder().resolve(config.text(Setting.DATA));
    String url =
        config
            .given(Setting.STORE)
            .map(GivenValue::text)
            .orElseGet(() -> "sqlite:" + folder.resolve("leases.db"));
    if (!Files.exists(folder)) {
      // Checked before the folder is created, so that a server that cannot start creates nothing.
      // If the folder exists, a server that already serves the file is reported first.
      requireListenable(config);
    }
    make(folder);
    Optional<ServeLock> lock = file(url).map(ServeCommand::lock);
    ServerLog log =
        ServerLog.open(
            context.err(), config.text(Setting.LOG_FORMAT), config.text(Setting.LOG_LEVEL));
    try {
      requireListenable(config);
      Schema schema = Schema.of(config.text(Setting.SCHEMA));
      return serve(new StorePlace(url, schema, Optional.of(folder), false), lock, config);
    } finally {
      log.end();
      lock.ifPresent(ServeLock::close);
    }
  }

  private int serve(StorePlace place, Optional<ServeLock> lock, Config config)
      throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    try (Store leases = context.stores().apply(place)) {
      if (lock.isPresent()) {
        int revoked = lock.get().revokeLeftovers(leases);
        if (revoked > 0) {
          context.err().println("leasehold: took back " + revoked + " from a server that died");
        }
      }
      var registration =
          context
              .interruptions()
              .onInterrupt(
                  () -> {
                    stop.countDown();
                    await(stopped);
                  });
      ServerBuilder builder = builder(leases, config);
      if (lock.isEmpty() && !place.isMemory()) {
        // Other servers of other versions may serve the same store.
        builder.announced(BuildVersion.number());
      }
      try (LeaseholdServer server = builder.start()) {
        context
            .out()
            .println(
                "leasehold serves "
                    + PrintedConfig.masked(place.url())
                    + " at "
                    + server.address());
        context.out().flush();
        stop.await();
      } finally {
        registration.close();
      }
    } finally {
      lock.ifPresent(ServeLock::close);
      stopped.countDown();
    }
    return Exit.DONE.code();
  }

  /**
   * Checks the settings of the listener before anything is opened; the empty store stands in for
   * the real one.
   */
  private static void requireListenable(Config config) {
    try (Store none = MemoryStore.open()) {
      builder(none, config).requireListenable();
    }
  }

  /** The process ends when this returns, so it waits for the requests under way. */
  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServerBuilder builder(Store leases, Config config) {
    ListenAddress address = ListenAddress.of(config.text(Setting.LISTEN));
    ServerBuilder builder =
        LeaseholdServer.on(leases)
            .host(address.host())
            .port(address.port())
            .bounds(
                new ServerBounds(
                    config.number(Setting.MAX_WAITING),
                    config.number(Setting.MAX_STREAMS),
                    config.duration(Setting.IDLE),
                    config.duration(Setting.SHUTDOWN)));
    Optional<Path> certificate = config.given(Setting.TLS_CERTIFICATE).map(ServeCommand::path);
    Optional<Path> privateKey = config.given(Setting.TLS_KEY).map(ServeCommand::path);
    if (certificate.isPresent() != privateKey.isPresent()) {
      throw new IllFormedException("TLS needs both tls.certificate and tls.key");
    }
    certificate.ifPresent(file -> builder.tls(file, privateKey.orElseThrow()));
    config
        .given(Setting.HOSTS)
        .ifPresent(names -> List.of(names.text().split(" *, *", -1)).forEach(builder::name));
    return config.text(Setting.KEYS_REQUIRED).equals("true") ? builder.requireKeys() : builder;
  }

  private static Path path(GivenValue given) {
    return Path.of(given.text());
  }

  private static void make(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("the data folder " + folder + " cannot be made", e);
    }
  }

  private static Optional<Path> file(String url) {
    String bare = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
    return bare.startsWith("sqlite:")
        ? Optional.of(Path.of(bare.substring("sqlite:".length())))
        : Optional.empty();
  }

  private static ServeLock lock(Path database) {
    String holder = "leasehold serve";
    return switch (ServeLock.take(database, holder, InstantSource.system().instant())) {
      case ServeLock.Taking.Taken taken -> taken.lock();
      case ServeLock.Taking.Refused refused ->
          throw new CommandFailedException(Exit.REFUSED, refused.why());
    };
  }
}
