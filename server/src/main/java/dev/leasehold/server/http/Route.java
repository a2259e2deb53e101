package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.remote.api.Access;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.server.security.Permission;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * An operation of a table, and the endpoint that answers it.
 *
 * @param needed the caller's API key must allow one of these; if empty, no key is required
 */
public record Route(
    Operation operation, PathTemplate template, Set<Permission> needed, Endpoint endpoint) {
  public Route {
    needed = Set.copyOf(needed);
  }

  public static Route of(Operation operation, Endpoint endpoint) {
    Set<Permission> needed =
        switch (operation.access()) {
          case OPEN -> Set.of();
          case ANY_KEY -> EnumSet.allOf(Permission.class);
          case READ, HOLD, OPERATE -> Set.of(permission(operation.access()));
        };
    return new Route(operation, PathTemplate.of(operation.path()), needed, endpoint);
  }

  /** The permission that an access requires. */
  static Permission permission(Access access) {
    return Permission.valueOf(access.name());
  }

  /** A route of a program that embeds the server. */
  public static Route get(String path, Permission needed, Endpoint endpoint) {
    return of(Operation.get(path, Access.valueOf(needed.name()), ""), endpoint);
  }

  /** The same for a path that takes a body. */
  public static Route post(String path, Permission needed, Endpoint endpoint) {
    return of(Operation.post(path, Access.valueOf(needed.name()), ""), endpoint);
  }

  /** The same for a path that requires no key. */
  public static Route open(String path, Endpoint endpoint) {
    return of(Operation.get(path, Access.OPEN, ""), endpoint);
  }

  /** Forgets what is dead; the caller's API key must cover everything. */
  static Route purge(
      Operation operation, Function<PurgeQuery, CompletionStage<PurgeReport>> purge) {
    return of(
        operation,
        call -> {
          call.requireCovered("");
          PurgeReport report = call.await(purge.apply(StoreFacts.readPurge(call.json())));
          return ApiResponse.json(out -> StoreFacts.write(out, report));
        });
  }

  String method() {
    return operation.method();
  }
}
