package dev.leasehold.verification.crash;

import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that serves a store over HTTP, until its input ends or it is killed. */
public final class Replica {
  private Replica() {}

  /** Arguments: the store, and the port (0: any). */
  public static void main(String[] arguments) throws Exception {
    try (JdbcStore store = Worker.open(arguments[0]);
        LeaseholdServer server =
            LeaseholdServer.on(store).port(Integer.parseInt(arguments[1])).start();
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Worker.say("serving " + server.address());
      String order = orders.readLine();
      while (order != null && !order.equals("stop")) {
        order = orders.readLine();
      }
    }
    Worker.say("done");
  }
}
