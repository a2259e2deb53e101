package dev.leasehold.benchmarks.rivals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** Curator's LeaderLatch. */
public final class CuratorCandidates implements Candidates {
  private static final int RETRY_MILLIS = 100;
  private static final int CONNECT_MILLIS = 15_000;
  private static final int TICKS_PER_SESSION = 4;

  private final CuratorFramework client;
  private final List<LeaderLatch> latches = new CopyOnWriteArrayList<>();

  private CuratorCandidates(CuratorFramework client) {
    this.client = client;
  }

  /** A ZooKeeper of one server, which forces its log to disk and allows sessions of this length. */
  public static TestingServer server(Duration session) throws Exception {
    System.setProperty("zookeeper.forceSync", "yes");
    // Its admin server needs a version of Jetty that nothing else here uses.
    System.setProperty("zookeeper.admin.enableServer", "false");
    int tickMillis = (int) session.toMillis() / TICKS_PER_SESSION;
    return new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, tickMillis, -1), true);
  }

  public static Candidates open(String address, Duration session) {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            address, (int) session.toMillis(), CONNECT_MILLIS, new RetryOneTime(RETRY_MILLIS));
    client.start();
    return new CuratorCandidates(client);
  }

  @Override
  public void stand(String name, Runnable elected) throws Exception {
    LeaderLatch latch = new LeaderLatch(client, "/leader-" + name);
    latch.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            elected.run();
          }

          @Override
          public void notLeader() {}
        });
    latch.start();
    latches.add(latch);
  }

  @Override
  public void close() {
    Candidates.endAll(latches, CuratorCandidates::close);
    client.close();
  }

  private static void close(LeaderLatch latch) {
    try {
      latch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
