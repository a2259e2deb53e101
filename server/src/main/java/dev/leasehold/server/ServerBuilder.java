package dev.leasehold.server;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.PemTls;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Settings of a {@link LeaseholdServer}. Without any, it listens on loopback, at a port of its own
 * choice, and asks for no keys.
 */
public final class ServerBuilder {
  private static final int MAX_PORT = 65_535;

  private final LeaseStore store;
  private String host = "127.0.0.1";
  private int port;
  private ServerBounds bounds = ServerBounds.USUAL;
  private Optional<ServerSettings.Tls> tls = Optional.empty();
  private boolean keysRequired;
  private Optional<ApiKeys> apiKeys = Optional.empty();
  private final Set<String> names = new LinkedHashSet<>();
  private Optional<Function<String, Fence>> fences = Optional.empty();
  private Optional<ObjectStore> objects = Optional.empty();
  private final List<Roles> roles = new ArrayList<>();
  private Optional<String> version = Optional.empty();
  private final List<Route> more = new ArrayList<>();

  ServerBuilder(LeaseStore store) {
    this.store = store;
  }

  /** Which address to listen on. Anywhere but on loopback, TLS and API keys are needed. */
  public ServerBuilder host(String newHost) {
    host = newHost;
    return this;
  }

  /** Which port to listen on; 0: any that is free. */
  public ServerBuilder port(int newPort) {
    if (newPort < 0 || newPort > MAX_PORT) {
      throw new IllFormedException("a port is from 0 to " + MAX_PORT + ", not " + newPort);
    }
    port = newPort;
    return this;
  }

  /** Other bounds than the usual ones. */
  public ServerBuilder bounds(ServerBounds newBounds) {
    bounds = newBounds;
    return this;
  }

  /** A chain of certificates and its private key (PKCS #8, not encrypted), as PEM files. */
  public ServerBuilder tls(Path certificates, Path privateKey) {
    tls = Optional.of(new ServerSettings.Tls(certificates, privateKey));
    return this;
  }

  /** Every request must bring an API key, but for health and the pages that say what this is. */
  public ServerBuilder requireKeys() {
    keysRequired = true;
    return this;
  }

  /** Where API keys are kept; else in the store, or in memory where the store is. */
  public ServerBuilder apiKeys(ApiKeys newKeys) {
    apiKeys = Optional.of(newKeys);
    return this;
  }

  /** One more name that requests may call the server by, beside its address. */
  public ServerBuilder name(String name) {
    names.add(name);
    return this;
  }

  /**
   * Keeps the marks of {@code /v1/fences} in this database; else they are beside the leases: in
   * their database, or in memory where they are. The tables are made if they are missing.
   */
  public ServerBuilder marksIn(DataSource database) {
    try (Connection connection = database.getConnection()) {
      JdbcFence.createTables(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("the tables of marks cannot be made", e);
    }
    fences = Optional.of(StoreFences.in(database, store));
    return this;
  }

  /**
   * Where the objects of {@code /v1/objects} are; else beside the leases. A store of leases that
   * has no place for them needs it, or has no such address.
   */
  public ServerBuilder objects(ObjectStore newObjects) {
    objects = Optional.of(newObjects);
    return this;
  }

  /** More of what {@code /readyz} says that this replica is in charge of. */
  public ServerBuilder roles(Roles moreRoles) {
    roles.add(moreRoles);
    return this;
  }

  /** The same for an election that this process takes part in. */
  public ServerBuilder election(Election election) {
    return roles(Roles.of(election));
  }

  /**
   * Holds a lease {@code leasehold-server/...} as long as the server runs, which says that it is
   * there, where, and of which version: so {@code leasehold doctor} finds replicas that are not of
   * one version.
   */
  public ServerBuilder announced(String newVersion) {
    version = Optional.of(newVersion);
    return this;
  }

  /** One more thing to answer, behind the same door. */
  public ServerBuilder route(Route route) {
    more.add(route);
    return this;
  }

  public LeaseholdServer start() {
    return new LeaseholdServer(store, settings(requireSafe())).begin();
  }

  /**
   * Refuses what {@link #start} would refuse of where it is to listen, and by which certificates:
   * for whoever wants to know before a store is made or opened.
   */
  public void requireListenable() {
    boolean unused = requireSafe();
    tls.ifPresent(files -> PemTls.read(files.certificates(), files.privateKey()));
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw Listener.cannotListen(host, e);
    }
  }

  /** Whether it listens on loopback, where nothing is needed. */
  private boolean requireSafe() {
    boolean loopback = isLoopback();
    if (!loopback) {
      requireSafety();
    }
    return loopback;
  }

  private void requireSafety() {
    List<String> missing = new ArrayList<>();
    if (tls.isEmpty()) {
      missing.add("TLS (--tls-certificate FILE --tls-key FILE, as PEM)");
    }
    if (!keysRequired) {
      missing.add("API keys (--require-keys, and make them with: leasehold key create)");
    }
    if (!missing.isEmpty()) {
      throw new IllFormedException(
          "a server that listens on "
              + host
              + ", and not on loopback, needs "
              + String.join(" and ", missing)
              + ": else whoever reaches it could take any lease, or read every instance that is"
              + " sent");
    }
  }

  private ServerSettings settings(boolean loopback) {
    ApiKeys keys =
        apiKeys.orElseGet(
            () ->
                store instanceof JdbcLeaseStore jdbc
                    ? new StoreApiKeys(jdbc)
                    : new MemoryApiKeys());
    return new ServerSettings(
        host,
        port,
        bounds,
        tls,
        keysRequired,
        keys,
        hosts(loopback),
        fences.orElseGet(() -> StoreFences.beside(store)),
        objects.or(this::objectsOfStore),
        List.copyOf(roles),
        version,
        List.copyOf(more));
  }

  private Optional<ObjectStore> objectsOfStore() {
    return switch (store) {
      case JdbcLeaseStore jdbc -> Optional.of(jdbc.objects());
      case MemoryLeaseStore memory -> Optional.of(new MemoryObjectStore(memory));
      default -> Optional.empty();
    };
  }

  private HostRules hosts(boolean loopback) {
    if (!loopback && names.isEmpty()) {
      return HostRules.anyName();
    }
    HostRules usual = loopback ? HostRules.loopback() : HostRules.anyName();
    return usual.and(names).and(List.of(host));
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllFormedException("there is no address by the name of " + host);
    }
  }
}
