package dev.leasehold.verification.crash;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** A process that serves a store in memory, under two API keys, until its input ends. */
public final class SmallServer {
  private SmallServer() {}

  public static void main(String[] arguments) throws Exception {
    Set<Permission> all = Set.of(Permission.READ, Permission.HOLD);
    ApiKey.Made holder = ApiKey.make("holder", all, List.of(""));
    ApiKey.Made sender = ApiKey.make("sender", all, List.of("sent/", "object/sent/"));
    MemoryApiKeys keys = new MemoryApiKeys();
    keys.add(holder.key()).toCompletableFuture().join();
    keys.add(sender.key()).toCompletableFuture().join();
    try (MemoryStore store = MemoryStore.open();
        LeaseholdServer server = LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Worker.say("holder " + holder.text());
      Worker.say("sender " + sender.text());
      Worker.say("serving " + server.address());
      String order = orders.readLine();
      while (order != null && !order.equals("stop")) {
        order = orders.readLine();
      }
    }
    Worker.say("done");
  }
}
