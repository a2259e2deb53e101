package dev.leasehold.server.http;

import dev.leasehold.blocks.sessions.SessionInfo;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.remote.api.SessionApi;
import dev.leasehold.remote.wire.Sessions;
import java.util.List;

/** {@code GET /v1/sessions}: one page of sessions, as the leases show them. */
public final class SessionEndpoints {
  private static final int USUAL_PAGE = 100;

  private final LeaseStore store;

  public SessionEndpoints(LeaseStore store) {
    this.store = store;
  }

  public List<Route> routes() {
    return List.of(Route.of(SessionApi.LIST, this::list));
  }

  private ApiResponse list(Call call) throws InterruptedException {
    call.requireKnownQuery();
    String prefix = call.parameter("prefix").orElse(SessionInfo.PREFIX);
    if (!prefix.startsWith(SessionInfo.PREFIX)) {
      throw new IllFormedException(
          "the key of a session begins with " + SessionInfo.PREFIX + ", so a prefix does too");
    }
    call.requireCovered(prefix);
    LeasePage page =
        call.await(
            store.list(
                new ListQuery(
                    prefix,
                    call.parameter("after").map(LeaseKey::new),
                    call.limit(USUAL_PAGE, ListQuery.MAX_LIMIT))));
    return ApiResponse.json(out -> Sessions.writePage(out, page));
  }
}
