package dev.leasehold.examples.gateway;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Keeps an answer of the driver back until the test releases it. */
final class LateWire implements Driver.Wire {
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /**
   * The next answer that one sandbox is not there.
   *
   * @param meanwhile runs when the driver has found the answer
   * @param asker receives the answer
   */
  record Held(Runnable meanwhile, CompletableFuture<String> asker, CountDownLatch letGo) {}

  Held holdNextAbsence(String id, Runnable meanwhile) {
    Held next = new Held(meanwhile, new CompletableFuture<>(), new CountDownLatch(1));
    held.put(id, next);
    return next;
  }

  @Override
  public void carry(String id, Optional<Driver.State> found, String asker)
      throws InterruptedException {
    Held now = found.isEmpty() ? held.remove(id) : null;
    if (now != null) {
      now.meanwhile().run();
      now.asker().complete(asker);
      now.letGo().await();
    }
  }
}
