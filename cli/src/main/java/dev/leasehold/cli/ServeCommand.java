package dev.leasehold.cli;

import dev.leasehold.cli.StorePlace.Schema;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerBuilder;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.ServeLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code serve}: leases over HTTP, until the process is asked to end. */
@Command(
    name = "serve",
    description = "Serve leases over HTTP, from an embedded SQLite file or another store.",
    footer = {
      "",
      "Anywhere but on loopback, TLS and API keys are needed: make keys with leasehold key create.",
      "",
      "Examples:",
      "  leasehold serve",
      "  leasehold serve --store jdbc:postgresql://db/app --listen 127.0.0.1:7421"
    })
final class ServeCommand implements Callable<Integer> {
  private static final String USUAL_LISTEN = "127.0.0.1:7420";
  private static final Path USUAL_DATA = Path.of("leasehold-data");

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "The store: sqlite:PATH, jdbc:postgresql://HOST/DB, jdbc:cockroachdb://HOST/DB or memory:.",
        "Else LEASEHOLD_STORE, else a SQLite file in the data folder."
      })
  Optional<String> store = Optional.empty();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to listen; port 0: any. Else LEASEHOLD_LISTEN, else 127.0.0.1:7420.")
  Optional<String> listen = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data folder. Else LEASEHOLD_DATA, else ./leasehold-data.")
  Optional<Path> data = Optional.empty();

  @Option(names = "--tls-certificate", paramLabel = "FILE", description = "Certificates, as PEM.")
  Optional<Path> certificate = Optional.empty();

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Their private key, as PEM.")
  Optional<Path> privateKey = Optional.empty();

  @Option(names = "--require-keys", description = "Answer nobody without an API key.")
  boolean requireKeys;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  private final Surroundings surroundings;

  ServeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path folder =
        data.or(() -> surroundings.environment().apply("LEASEHOLD_DATA").map(Path::of))
            .orElse(USUAL_DATA);
    String url =
        store
            .or(() -> surroundings.environment().apply("LEASEHOLD_STORE"))
            .orElseGet(() -> "sqlite:" + folder.resolve("leases.db"));
    make(folder);
    Optional<ServeLock> lock = file(url).map(ServeCommand::lock);
    try {
      return serve(new StorePlace(url, Schema.AUTO, Optional.of(folder), false), lock);
    } finally {
      lock.ifPresent(ServeLock::close);
    }
  }

  private int serve(StorePlace place, Optional<ServeLock> lock) throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    try (LeaseStore leases = surroundings.stores().apply(place)) {
      if (lock.isPresent() && leases instanceof JdbcLeaseStore kept) {
        int revoked = lock.get().revokeLeftovers(kept);
        if (revoked > 0) {
          surroundings
              .err()
              .println("leasehold: took back " + revoked + " from a server that died");
        }
      }
      var registration =
          surroundings
              .interruptions()
              .onInterrupt(
                  () -> {
                    stop.countDown();
                    await(stopped);
                  });
      try (LeaseholdServer server = builder(leases).start()) {
        surroundings.out().println("leasehold serves " + named(place) + " at " + server.address());
        surroundings.out().flush();
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

  /** The process ends when this returns, so it waits for what is under way. */
  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A URL may have a password in it. */
  private static String named(StorePlace place) {
    return place.url().replaceAll("[?].*", "").replaceAll("//[^/]*@", "//");
  }

  private ServerBuilder builder(LeaseStore leases) {
    String address =
        listen.or(() -> surroundings.environment().apply("LEASEHOLD_LISTEN")).orElse(USUAL_LISTEN);
    int colon = address.lastIndexOf(':');
    if (colon < 1 || !address.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw new IllFormedException("--listen is written HOST:PORT, not '" + address + "'");
    }
    ServerBuilder builder =
        LeaseholdServer.on(leases)
            .host(address.substring(0, colon).replaceAll("^\\[(.*)\\]$", "$1"))
            .port(Integer.parseInt(address.substring(colon + 1)))
            .announced(LeaseholdCommand.Version.number());
    if (certificate.isPresent() != privateKey.isPresent()) {
      throw new IllFormedException("TLS needs both --tls-certificate and --tls-key");
    }
    certificate.ifPresent(file -> builder.tls(file, privateKey.orElseThrow()));
    return requireKeys ? builder.requireKeys() : builder;
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
