package dev.leasehold.server.http;

import dev.leasehold.blocks.objects.model.Binding;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.ObjectCommands;
import dev.leasehold.remote.wire.ObjectReadings;
import java.util.List;
import java.util.Optional;

/**
 * Which objects may be written only under a certain key: operators set this, and readers see it.
 */
final class ObjectBindings {
  private final ObjectStore store;

  ObjectBindings(ObjectStore store) {
    this.store = store;
  }

  List<Route> routes() {
    return List.of(
        Route.of(ObjectApi.BIND, this::bind),
        Route.of(ObjectApi.BINDINGS, this::list),
        Route.of(ObjectApi.UNBIND, this::unbind));
  }

  private ApiResponse list(Call call) throws InterruptedException {
    List<Binding> bindings = call.await(store.bindings(ObjectBatches.query(call)));
    return ApiResponse.json(out -> ObjectReadings.writeBindings(out, bindings));
  }

  private ApiResponse bind(Call call) throws InterruptedException {
    Members members = call.json();
    ObjectScope scope = scope(call, members);
    LeaseKey key = Commands.key(members);
    Optional<String> name = members.textIfAny("by");
    Operator by = members.within("by", () -> call.operator(name));
    members.nothingElse();
    call.requireCovered(key.text());
    Optional<LeaseKey> before = call.await(store.bind(scope, key, by));
    return ApiResponse.json(out -> ObjectReadings.writeBound(out, before));
  }

  private ApiResponse unbind(Call call) throws InterruptedException {
    Members members = call.json();
    ObjectScope scope = scope(call, members);
    members.nothingElse();
    Optional<LeaseKey> before = call.await(store.unbind(scope));
    return ApiResponse.json(out -> ObjectReadings.writeUnbound(out, before));
  }

  private static ObjectScope scope(Call call, Members members) {
    ObjectScope scope = ObjectCommands.readScope(members);
    call.requireCovered(ObjectEndpoints.scope(scope.type(), scope.id()));
    return scope;
  }
}
