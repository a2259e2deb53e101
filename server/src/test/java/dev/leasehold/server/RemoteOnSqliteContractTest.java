package dev.leasehold.server;

import dev.leasehold.testkit.contract.LeaseStoreContract;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;

/** The contract through two servers on one SQLite file. */
class RemoteOnSqliteContractTest extends LeaseStoreContract {
  @TempDir private static Path folder;

  private final AtomicInteger files = new AtomicInteger();

  @Override
  protected StoreUnderTest open(long startMillis) {
    Path file = folder.resolve(System.identityHashCode(this) + "-" + files.incrementAndGet());
    return new TurnedSqlite(file, new AtomicLong(startMillis)).behindServers();
  }
}
