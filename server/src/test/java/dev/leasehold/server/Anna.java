package dev.leasehold.server;

import java.time.Duration;

/** The holder of a story: a process that embeds leases, or a client of a server. */
interface Anna {
  /** One attempt, with or without success. */
  void acquire(String key, Duration ttl) throws Exception;

  /** An attempt that waits for a minute. */
  Attempt acquireLater(String key);

  /** An attempt under way. */
  interface Attempt {
    void join();

    void giveUp();
  }

  /** A process renews by itself. */
  void renew(String key, int times);

  /** A client of a server has no trust that could end. */
  void awaitNoTrust(String key) throws Exception;

  /** A target refuses a write. */
  void beRefused(String key);

  void release(String key);
}
