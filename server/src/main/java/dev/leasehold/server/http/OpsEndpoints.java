package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.remote.api.ServerApi;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.remote.wire.Readings.State;
import dev.leasehold.server.ops.LeaseCounts;
import dev.leasehold.server.ops.Meters;
import dev.leasehold.server.ops.Roles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** {@code /healthz}, {@code /readyz}, {@code /metrics}. */
public final class OpsEndpoints {
  private final LeaseStore store;
  private final Roles roles;
  private final Meters meters;
  private final LeaseCounts counts;
  private final BooleanSupplier stopping;

  /** The parts of the server that these endpoints look at. */
  public record Parts(
      LeaseStore store, Roles roles, Meters meters, LeaseCounts counts, BooleanSupplier stopping) {}

  public OpsEndpoints(Parts parts) {
    this.store = parts.store();
    this.roles = parts.roles();
    this.meters = parts.meters();
    this.counts = parts.counts();
    this.stopping = parts.stopping();
    for (State state : List.of(State.HELD, State.EXPIRED, State.CLOSED)) {
      meters.gauge("leasehold.leases", "Leases on record", state.word(), () -> counts.last(state));
    }
  }

  public List<Route> routes() {
    return List.of(
        Route.of(ServerApi.HEALTH, call -> ApiResponse.json(out -> out.text("status", "alive"))),
        Route.of(ServerApi.READY, this::ready),
        Route.of(ServerApi.METRICS, this::metrics));
  }

  /** Whether this server should get requests: the store answers, and the server is not stopping. */
  private ApiResponse ready(Call call) throws InterruptedException {
    if (stopping.getAsBoolean()) {
      return RequestDispatcher.stopping();
    }
    try {
      call.await(store.list(new ListQuery("", Optional.empty(), 1)));
    } catch (ProblemException e) {
      return ApiResponse.problem(
          new Problem(Status.UNAVAILABLE, "Not ready", "the store does not answer"), out -> {});
    }
    return ApiResponse.json(
        out ->
            out.text("status", "ready")
                .list(
                    "roles",
                    roles.held(),
                    (item, role) ->
                        item.text("name", role.name()).number("term", role.term().value())));
  }

  private ApiResponse metrics(Call call) throws InterruptedException {
    try {
      Map<State, Integer> unused = call.await(counts.look());
    } catch (ProblemException e) {
      // The store is unreachable, so the other figures matter all the more.
      return text();
    }
    return text();
  }

  private ApiResponse text() {
    return ApiResponse.text("text/plain; version=0.0.4; charset=utf-8", meters.text());
  }
}
