package dev.leasehold.server;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.Fence;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.ops.Roles;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.HostRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The complete settings of a server. */
record ServerSettings(
    String host,
    int port,
    ServerBounds bounds,
    Optional<Tls> tls,
    boolean keysRequired,
    ApiKeys apiKeys,
    HostRules hosts,
    Function<String, Fence> fences,
    Optional<ObjectStore> objects,
    List<Roles> roles,
    Optional<String> version,
    List<LeaseObserver> observers,
    List<Route> more) {
  /** PEM files. */
  record Tls(Path certificates, Path privateKey) {}
}
