package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** I4: once a token was admitted or sealed, no change with a lower one takes effect. */
@Timeout(60)
class MemoryFenceConcurrencyTest {
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");

  private final RefusalTrail trail = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  private final MemoryFence fence = new MemoryFence("orders", trail);
  private final List<String> events = new CopyOnWriteArrayList<>();

  private static Claim claim(long token) {
    return Claim.of(KEY, new Token(token));
  }

  @Test
  void aSealWaitsForALowerChangeUnderWay() throws InterruptedException {
    expectToWaitForALowerChange(() -> fence.seal(claim(8)));
  }

  @Test
  void anAdmissionOfAHigherTokenWaitsForALowerChangeUnderWay() throws InterruptedException {
    expectToWaitForALowerChange(() -> fence.admit(claim(8)));
  }

  @Test
  void aHigherChangeWaitsForALowerChangeUnderWay() throws InterruptedException {
    expectToWaitForALowerChange(() -> fence.change(claim(8), () -> {}));
  }

  private void expectToWaitForALowerChange(Runnable successor) throws InterruptedException {
    whileChangingWithToken7(
        mayFinish -> {
          Thread higher =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        successor.run();
                        events.add("successor is in");
                      });
          awaitParkedOrDone(higher);
          assertThat(events).isEmpty();
          mayFinish.countDown();
          join(higher);
        });
    assertThat(events).containsExactly("old change took effect", "successor is in");
    assertThat(fence.admit(claim(7))).isEqualTo(new Admission.Stale(new Token(8)));
  }

  @Test
  void changesOfOtherKeysAndAdmissionsDoNotWaitForAChangeUnderWay() throws InterruptedException {
    whileChangingWithToken7(
        mayFinish -> {
          Claim otherKey = Claim.of(LeaseKey.of("lock", "b"), new Token(1));
          assertThat(fence.change(otherKey, () -> events.add("other key")))
              .isEqualTo(Admission.ADMITTED);
          assertThat(fence.admit(claim(7))).isEqualTo(Admission.ADMITTED);
          assertThat(fence.admit(claim(6))).isEqualTo(new Admission.Stale(new Token(7)));
          assertThat(events).containsExactly("other key");
          mayFinish.countDown();
        });
  }

  @Test
  void noLowerChangeRunsAfterASealHasReturned() {
    long rounds = 20_000;
    AtomicLong next = new AtomicLong(1);
    AtomicLong sealed = new AtomicLong();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 2; thread++) {
        threads.execute(
            () -> {
              for (long token = next.get(); token < rounds; token = next.get()) {
                changeAndLookForAHigherSeal(token, sealed);
              }
            });
        threads.execute(
            () -> {
              for (long token = next.get(); token < rounds; token = next.incrementAndGet()) {
                if (fence.seal(claim(token)) instanceof Admission.Admitted) {
                  sealed.accumulateAndGet(token, Math::max);
                }
              }
            });
      }
    }
    assertThat(events).isEmpty();
    assertThat(sealed.get()).isEqualTo(rounds - 1);
  }

  private void changeAndLookForAHigherSeal(long token, AtomicLong sealed) {
    fence.change(
        claim(token),
        () -> {
          // Checks often enough to see a seal return that does not wait.
          for (int look = 0; look < 100; look++) {
            Thread.onSpinWait();
            if (sealed.get() > token) {
              events.add("a change with " + token + " ran after a seal with " + sealed.get());
            }
          }
        });
  }

  @Test
  void ofManyThreadsThatRaceForOneMarkTheHighestTokenStays() {
    int tokens = 10_000;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        int first = thread + 1;
        threads.execute(
            () -> {
              for (int token = first; token <= tokens; token += 4) {
                fence.admit(claim(token));
              }
            });
      }
    }
    assertThat(fence.admit(claim(tokens - 1))).isEqualTo(new Admission.Stale(new Token(tokens)));
    assertThat(fence.admit(claim(tokens))).isEqualTo(Admission.ADMITTED);
  }

  private void whileChangingWithToken7(Consumer<CountDownLatch> meanwhile)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayFinish = new CountDownLatch(1);
    Thread old =
        Thread.ofPlatform()
            .start(
                () ->
                    fence.change(
                        claim(7),
                        () -> {
                          begun.countDown();
                          await(mayFinish);
                          events.add("old change took effect");
                        }));
    try {
      begun.await();
      meanwhile.accept(mayFinish);
    } finally {
      mayFinish.countDown();
      old.join();
    }
  }

  /** Needs no clock: a thread that need not wait ends, and one that must wait is parked. */
  private static void awaitParkedOrDone(Thread thread) {
    State state = thread.getState();
    while (state != State.WAITING && state != State.TERMINATED) {
      Thread.onSpinWait();
      state = thread.getState();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
