package dev.leasehold.benchmarks.rivals;

import java.io.IOException;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's lock, kept by its watchdog, on a Redis that forces every write to disk. */
final class RedissonLocks implements Locks {
  private final ServerProcess server;
  private final RedissonClient client;

  private RedissonLocks(ServerProcess server, int port) {
    this.server = server;
    Config config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
    this.client = Redisson.create(config);
  }

  static Locks open() throws IOException, InterruptedException {
    int port = ServerProcess.freePort();
    ServerProcess server =
        ServerProcess.start(
            "redis-server",
            "--port",
            String.valueOf(port),
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--save",
            "");
    server.awaitPort(port);
    return new RedissonLocks(server, port);
  }

  @Override
  public void whileHeld(String key, Runnable work) {
    RLock lock = client.getLock(key);
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    client.shutdown();
    server.close();
  }
}
