package dev.leasehold.server;

import dev.leasehold.testkit.objects.ObjectStoreContract;
import dev.leasehold.testkit.objects.ObjectsUnderTest;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;

/** The contract of objects through two servers on one SQLite file. */
class RemoteObjectsOnSqliteContractTest extends ObjectStoreContract {
  @TempDir private static Path folder;

  private final AtomicInteger files = new AtomicInteger();

  @Override
  protected ObjectsUnderTest open(long startMillis) {
    Path file = folder.resolve(System.identityHashCode(this) + "-" + files.incrementAndGet());
    return new TurnedSqlite(file, new AtomicLong(startMillis)).behindServers().withObjects();
  }
}
