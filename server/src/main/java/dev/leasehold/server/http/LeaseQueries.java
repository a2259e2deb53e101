package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.remote.api.LeaseApi;
import dev.leasehold.remote.wire.Detail;
import dev.leasehold.remote.wire.Readings;
import dev.leasehold.server.security.Permission;
import java.util.List;
import java.util.Optional;

/** {@code GET /v1/leases}: one page of leases, or one lease. */
public final class LeaseQueries {
  private static final int USUAL_PAGE = 100;

  private final LeaseStore store;

  public LeaseQueries(LeaseStore store) {
    this.store = store;
  }

  public List<Route> routes() {
    return List.of(Route.of(LeaseApi.LIST, this::list), Route.of(LeaseApi.ONE, this::one));
  }

  private ApiResponse list(Call call) throws InterruptedException {
    call.requireKnownQuery();
    String prefix = call.parameter("prefix").orElse("");
    call.requireCovered(prefix);
    Optional<LeaseKey> after = call.parameter("after").map(LeaseKey::new);
    ListQuery query = new ListQuery(prefix, after, call.limit(USUAL_PAGE, ListQuery.MAX_LIMIT));
    Detail detail = call.detail();
    LeasePage page = call.await(store.list(query));
    return ApiResponse.json(out -> Readings.writePage(out, page, detail));
  }

  private ApiResponse one(Call call) throws InterruptedException {
    call.requireKnownQuery();
    requireNoCommand(call.value("key"));
    LeaseKey key = new LeaseKey(call.value("key"));
    call.require(Permission.READ, key);
    Detail detail = call.detail();
    LeaseReading reading =
        call.await(store.read(key))
            .orElseThrow(() -> ProblemException.notFound("no lease of " + key + " is on record"));
    return ApiResponse.json(out -> Readings.write(out, reading, detail));
  }

  /** A command's name is never a key, because every key has a slash. */
  private static void requireNoCommand(String name) {
    if (LeaseCommands.PATHS.contains(name)) {
      throw ProblemException.of(
          Status.WRONG_METHOD, "Wrong method", "not by GET: send it as POST, with a body");
    }
  }
}
