package dev.leasehold.examples.gateway;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Keeps an answer of the driver back until it is let go. */
final class LateWire implements Driver.Wire {
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /** The next answer about one sandbox. */
  record Held(CountDownLatch asked, CountDownLatch letGo) {}

  Held holdNext(String id) {
    Held next = new Held(new CountDownLatch(1), new CountDownLatch(1));
    held.put(id, next);
    return next;
  }

  @Override
  public void carry(String id) throws InterruptedException {
    Held now = held.remove(id);
    if (now != null) {
      now.asked().countDown();
      now.letGo().await();
    }
  }
}
