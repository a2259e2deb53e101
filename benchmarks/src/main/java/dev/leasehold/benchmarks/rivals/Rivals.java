package dev.leasehold.benchmarks.rivals;

import java.util.List;

/** The rivals. */
public final class Rivals {
  private Rivals() {}

  /** On servers of their own, started when they are opened. */
  public static List<Rival> onOtherServers() {
    return List.of(
        Rival.of(
            "Curator 5.9.0, ZooKeeper 3.9.5", "fsync of the log (forceSync)", CuratorLocks::open),
        Rival.ofProgram(
            "etcd", "jetcd 0.8.7, etcd", "fsync of the Raft log, one member", EtcdLocks::open),
        Rival.ofProgram(
            "redis-server",
            "Redisson 4.0.0, Redis",
            "fsync of the log (appendfsync always)",
            RedissonLocks::open));
  }

  /** Rivals that are used over a network, as Leasehold's server is. */
  public static List<Rival> besideAServer() {
    return List.of(
        Rival.ofProgram(
            "etcd",
            "etcd, lease grant and revoke",
            "fsync of the Raft log, one member",
            () -> EtcdLeases.open(EtcdLeases.Verb.GRANT_AND_REVOKE)),
        Rival.ofProgram(
            "etcd",
            "etcd, lease keep-alive",
            "nothing: the leader's memory",
            () -> EtcdLeases.open(EtcdLeases.Verb.KEEP_ALIVE)),
        Rival.of(
            "Curator 5.9.0, ZooKeeper 3.9.5, lock",
            "fsync of the log (forceSync)",
            CuratorLocks::open));
  }
}
