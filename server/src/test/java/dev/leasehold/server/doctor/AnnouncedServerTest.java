package dev.leasehold.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.server.ops.Announcement;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The records of stopped servers stay, so the running servers may come after many of them. */
@Timeout(120)
class AnnouncedServerTest {
  @Test
  void aServerBehindAThousandRecordsIsFound() throws InterruptedException {
    try (MemoryLeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
        Leases leases = Leases.on(store).open()) {
      for (int i = 0; i <= ListQuery.MAX_LIMIT; i++) {
        LeaseKey key = LeaseKey.of(Announcement.KIND, "%05d".formatted(i));
        LeaseRequest request =
            LeaseRequest.of(key).purpose("server").attribute(Announcement.VERSION, "0.1." + i);
        if (leases.tryAcquire(request) instanceof Acquisition.Acquired(var lease)
            && i < ListQuery.MAX_LIMIT) {
          lease.close();
        }
      }
      assertThat(AnnouncedServer.on(store).toCompletableFuture().join())
          .containsExactly(new AnnouncedServer("0.1." + ListQuery.MAX_LIMIT, "unknown"));
    }
  }
}
