package dev.leasehold.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Ticker;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MetersTest {
  private final Meters meters = new Meters(Ticker.system());
  private final AtomicLong steps = new AtomicLong();

  @Test
  void aCounterIsStillShownWhenTheMetersAloneReferToItsSupplier() {
    meters.counter("leasehold.steps", "Steps", () -> (double) steps.get());
    collectGarbage();
    steps.set(2);
    assertThat(meters.text()).contains("leasehold_steps_total 2.0");
  }

  /**
   * Returns when unreferenced objects are collected, which includes objects made before this one.
   */
  private static void collectGarbage() {
    WeakReference<Object> later = new WeakReference<>(new Object());
    while (later.get() != null) {
      System.gc();
    }
  }
}
