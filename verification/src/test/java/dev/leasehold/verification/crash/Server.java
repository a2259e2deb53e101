package dev.leasehold.verification.crash;

import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.ServeLock;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** A process that serves a SQLite file, as far as its lock goes, until its input ends. */
public final class Server {
  /** Longer than a test, so that no test waits until it expires. */
  private static final Duration TTL = Duration.ofHours(1);

  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final int MAX_ATTEMPTS = 10;

  private Server() {}

  /** Arguments: the file, the server's name, and the key to hold while it serves. */
  public static void main(String[] arguments) throws Exception {
    Path database = Path.of(arguments[0]);
    Instant since = Instant.parse("2026-03-01T12:00:00Z");
    switch (ServeLock.take(database, arguments[1], since)) {
      case ServeLock.Taking.Refused(String why) -> say("refused " + why);
      case ServeLock.Taking.Taken(ServeLock lock) -> {
        try (lock) {
          serve(database, lock, arguments[2]);
        }
      }
    }
  }

  private static void serve(Path database, ServeLock lock, String key) throws Exception {
    Instance self = Instance.random();
    try (JdbcStore store = open(database)) {
      say("revoked " + patiently(() -> lock.revokeLeftovers(store)));
      lock.announce(self.id());
      try (Leases leases = Leases.on(store).instance(self).open()) {
        Acquisition acquisition = leases.acquire(LeaseRequest.of(key).ttl(TTL), WAIT);
        say(
            acquisition instanceof Acquisition.Acquired(var lease)
                ? "serving " + lease.token()
                : "not serving " + acquisition);
        awaitEndOfInput();
        if (acquisition instanceof Acquisition.Acquired(var lease)) {
          lease.close();
        }
      }
    }
  }

  static JdbcStore open(Path database) {
    return patiently(() -> JdbcStore.at("sqlite:" + database).migrate().open());
  }

  /** Retries, because on a busy machine a store may not answer in time. */
  private static <T> T patiently(Supplier<T> step) {
    for (int i = 1; i < MAX_ATTEMPTS; i++) {
      try {
        return step.get();
      } catch (StoreUnusableException e) {
        if (!e.isUnreachable()) {
          throw e;
        }
        say("again: " + e.getMessage());
      }
    }
    return step.get();
  }

  private static void awaitEndOfInput() throws IOException {
    try (BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String order = orders.readLine();
      while (order != null && !order.equals("stop")) {
        order = orders.readLine();
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
