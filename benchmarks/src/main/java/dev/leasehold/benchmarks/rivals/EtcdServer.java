package dev.leasehold.benchmarks.rivals;

import io.etcd.jetcd.Client;

/** An etcd of one member, and a client of it. */
record EtcdServer(ServerProcess process, Client client) implements AutoCloseable {
  static EtcdServer start() throws Exception {
    int port = ServerProcess.freePort();
    String endpoint = "http://127.0.0.1:" + port;
    String peers = "http://127.0.0.1:" + ServerProcess.freePort();
    ServerProcess process =
        ServerProcess.start(
            "etcd",
            "--data-dir=data",
            "--listen-client-urls=" + endpoint,
            "--advertise-client-urls=" + endpoint,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=default=" + peers,
            "--log-level=error");
    process.awaitPort(port);
    return new EtcdServer(process, Client.builder().endpoints(endpoint).build());
  }

  @Override
  public void close() {
    client.close();
    process.close();
  }
}
