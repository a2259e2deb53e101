package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.remote.RemoteLeaseStore;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client can do whose API key is for some verbs only. */
@Timeout(60)
class RemoteVerbsTest {
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final LeaseholdServer server =
      LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private RemoteLeaseStore with(Permission... permissions) {
    ApiKey.Made made = ApiKey.make("me", Set.of(permissions), List.of("lock/"));
    var unused = keys.add(made.key());
    return RemoteLeaseStore.at(server.address().toString()).apiKey(made.text()).open();
  }

  @Test
  void whoMayHoldCanOpenAndHold() {
    try (RemoteLeaseStore client = with(Permission.HOLD)) {
      assertThat(client.limits()).isEqualTo(store.limits());
      Command holders =
          new Command.Abandon(new LeaseKey("lock/a"), Instance.random(), RequestId.random());
      assertThat(client.apply(List.of(holders)).toCompletableFuture().join().getFirst())
          .isInstanceOf(Outcome.Abandoned.class);
    }
  }

  @Test
  void whoMayOperateNeedNotHold() {
    try (RemoteLeaseStore client = with(Permission.OPERATE)) {
      assertThat(applied(client, "lock/a")).isInstanceOf(Outcome.Free.class);
      assertThat(applied(client, "leader/a")).isInstanceOf(Outcome.Rejected.class);
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
