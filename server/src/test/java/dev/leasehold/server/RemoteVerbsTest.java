package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client can do with an API key for some verbs only. */
@Timeout(60)
class RemoteVerbsTest {
  private final Store store = MemoryStore.open();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final LeaseholdServer server =
      LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private RemoteStore with(Permission... permissions) {
    ApiKey.Made made = ApiKey.make("me", Set.of(permissions), List.of("lock/"));
    var unused = keys.add(made.key());
    return RemoteStore.at(server.address().toString()).apiKey(made.text()).open();
  }

  @Test
  void whoMayHoldCanOpenAndHold() {
    try (RemoteStore client = with(Permission.HOLD)) {
      assertThat(client.leases().limits()).isEqualTo(store.leases().limits());
      Command holders =
          new Command.Abandon(new LeaseKey("lock/a"), Instance.random(), RequestId.random());
      assertThat(client.leases().apply(List.of(holders)).toCompletableFuture().join().getFirst())
          .isInstanceOf(Outcome.Abandoned.class);
    }
  }

  @Test
  void whoMayOperateNeedNotHold() {
    try (RemoteStore client = with(Permission.OPERATE)) {
      assertThat(applied(client.leases(), "lock/a")).isInstanceOf(Outcome.Free.class);
      assertThat(applied(client.leases(), "leader/a")).isInstanceOf(Outcome.Rejected.class);
    }
  }

  private static Outcome applied(LeaseStore client, String key) {
    Command revoke =
        new Command.Revoke(
            new LeaseKey(key),
            new Operator("ann"),
            new Explanation("broken"),
            Command.Reopening.NOW,
            RequestId.random());
    return client.apply(List.of(revoke)).toCompletableFuture().join().getFirst();
  }
}
