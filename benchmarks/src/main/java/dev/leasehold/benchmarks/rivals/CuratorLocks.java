package dev.leasehold.benchmarks.rivals;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

/** Curator's mutex on a ZooKeeper of one server, which forces its log to disk. */
final class CuratorLocks implements Locks {
  private static final int RETRY_MILLIS = 100;

  private final TestingServer server;
  private final CuratorFramework client;

  private CuratorLocks(TestingServer server) {
    this.server = server;
    this.client =
        CuratorFrameworkFactory.newClient(
            server.getConnectString(), new RetryOneTime(RETRY_MILLIS));
    client.start();
  }

  static Locks open() throws Exception {
    System.setProperty("zookeeper.forceSync", "yes");
    // Its admin server needs a version of Jetty that nothing else here uses.
    System.setProperty("zookeeper.admin.enableServer", "false");
    return new CuratorLocks(new TestingServer());
  }

  @Override
  public void whileHeld(String key, Runnable work) throws Exception {
    InterProcessMutex mutex = new InterProcessMutex(client, "/" + key);
    mutex.acquire();
    try {
      work.run();
    } finally {
      mutex.release();
    }
  }

  @Override
  public void close() {
    client.close();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
