package dev.leasehold.server;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.ops.Roles;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.PemTls;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.KeyRows;
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
 * Settings of a {@link LeaseholdServer}. By default it listens on loopback, on a free port, and
 * requires no API keys.
 */
public final class ServerBuilder {
  private static final int MAX_PORT = 65_535;

  private final Store store;
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
  private final List<LeaseObserver> observers = new ArrayList<>();
  private final List<Route> more = new ArrayList<>();

  ServerBuilder(Store store) {
    this.store = store;
  }

  /** The address to listen on. Any address but loopback requires TLS and API keys. */
  public ServerBuilder host(String newHost) {
    host = newHost;
    return this;
  }

  /** The port to listen on; 0 means any free port. */
  public ServerBuilder port(int newPort) {
    if (newPort < 0 || newPort > MAX_PORT) {
      throw new IllFormedException("a port is from 0 to " + MAX_PORT + ", not " + newPort);
    }
    port = newPort;
    return this;
  }

  /** Replaces the default bounds. */
  public ServerBuilder bounds(ServerBounds newBounds) {
    bounds = newBounds;
    return this;
  }

  /** A certificate chain and its private key (PKCS #8, not encrypted), as PEM files. */
  public ServerBuilder tls(Path certificates, Path privateKey) {
    tls = Optional.of(new ServerSettings.Tls(certificates, privateKey));
    return this;
  }

  /**
   * Requires an API key for every request except health checks and the pages that describe the
   * server.
   */
  public ServerBuilder requireKeys() {
    keysRequired = true;
    return this;
  }

  /**
   * The store of API keys. By default they are in the database of the leases, or in memory if the
   * leases are.
   */
  public ServerBuilder apiKeys(ApiKeys newKeys) {
    apiKeys = Optional.of(newKeys);
    return this;
  }

  /** An additional host name that requests may use for this server. */
  public ServerBuilder name(String name) {
    names.add(name);
    return this;
  }

  /**
   * Keeps the marks of {@code /v1/fences} in this database and creates missing tables. By default
   * the marks are beside the leases: in their database, or in memory if the leases are.
   */
  public ServerBuilder marksIn(DataSource database) {
    try (Connection connection = database.getConnection()) {
      JdbcFence.createTables(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("the tables of marks cannot be made", e);
    }
    fences = Optional.of(StoreFences.in(database, store.leases()));
    return this;
  }

  /**
   * The store of the objects of {@code /v1/objects}; by default the store of the leases. If that
   * one cannot hold objects and none is given here, the server has no such address.
   */
  public ServerBuilder objects(ObjectStore newObjects) {
    objects = Optional.of(newObjects);
    return this;
  }

  /** Adds roles that {@code /readyz} reports for this replica. */
  public ServerBuilder roles(Roles moreRoles) {
    roles.add(moreRoles);
    return this;
  }

  /** Adds the role of an election that this process takes part in. */
  public ServerBuilder election(Election election) {
    return roles(Roles.of(election));
  }

  /**
   * Holds a lease {@code leasehold-server/...} while the server runs, with its address and version,
   * so that {@code leasehold doctor} finds replicas of different versions.
   */
  public ServerBuilder announced(String newVersion) {
    version = Optional.of(newVersion);
    return this;
  }

  /** An observer of the leases that clients hold through this server. */
  public ServerBuilder observer(LeaseObserver observer) {
    observers.add(observer);
    return this;
  }

  /** Adds a route, which is protected like the server's own routes. */
  public ServerBuilder route(Route route) {
    more.add(route);
    return this;
  }

  public LeaseholdServer start() {
    return new LeaseholdServer(store, settings(requireSafe())).begin();
  }

  /**
   * Refuses a listening address or certificates that {@link #start} would refuse, so that a caller
   * can check them before it creates or opens a store.
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

  /** Whether the server listens on loopback, where neither TLS nor keys are required. */
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
              + ": without them, any caller that reaches it could take any lease, or read the"
              + " instances on the network");
    }
  }

  private ServerSettings settings(boolean loopback) {
    ApiKeys keys =
        apiKeys
            .or(() -> store.part(KeyRows.class).map(StoreApiKeys::new))
            .orElseGet(MemoryApiKeys::new);
    return new ServerSettings(
        host,
        port,
        bounds,
        tls,
        keysRequired,
        keys,
        hosts(loopback),
        fences.orElseGet(() -> StoreFences.beside(store)),
        objects.or(() -> store.part(ObjectStore.class)),
        List.copyOf(roles),
        version,
        List.copyOf(observers),
        List.copyOf(more));
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
