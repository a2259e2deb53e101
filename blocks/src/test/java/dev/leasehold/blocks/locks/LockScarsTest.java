package dev.leasehold.blocks.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.BlocksFixture;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failures that users of other locks have met. Each test is named for what must not happen. */
class LockScarsTest {
  private static final String KEY = "lock/report";

  private final BlocksFixture fixture = new BlocksFixture();
  private final Locks locks = Locks.on(fixture.process("one"));
  private final Locks others = Locks.on(fixture.process("two"));

  private static boolean renews(List<Command> batch) {
    return batch.getFirst() instanceof Command.Renew;
  }

  /** ShedLock's KeepAliveLockProvider: one exception of extend() was its last call. */
  @Test
  void renewalThrowingOnceMustNotEndKeepAlive() throws Exception {
    Lease lease = BlocksFixture.lease(locks.tryLock("report"));
    AtomicInteger thrown = new AtomicInteger();
    fixture.storeTakesBatches(
        batch -> {
          if (renews(batch) && thrown.getAndIncrement() == 0) {
            throw new IllegalStateException("planted: connection reset");
          }
          return fixture.behind(batch);
        });

    fixture.advance(Duration.ofMinutes(10));

    assertThat(thrown.get()).isGreaterThan(1);
    lease.ensureHeld();
    assertThat(others.tryLock("report")).isInstanceOf(Acquisition.Held.class);
  }

  /** Redisson #7272: the attempt was cancelled, its grant came all the same and was renewed. */
  @Test
  void cancelRacingAcquireMustNotLeaveALockBehindThatIsRenewed() throws Exception {
    CompletableFuture<Runnable> answering = new CompletableFuture<>();
    fixture.storeTakesBatches(batch -> heldBack(batch, answering));
    Thread asking = Thread.ofPlatform().start(() -> interruptedIn(locks));
    Runnable answer = answering.get();
    BlocksFixture.awaitBlocked(asking);

    asking.interrupt();
    asking.join();
    fixture.storeIsAsBefore();
    answer.run();
    fixture.advance(Duration.ofSeconds(1));

    assertThat(fixture.holderOf(KEY)).isEmpty();
    fixture.advance(Duration.ofMinutes(10));
    assertThat(fixture.sent()).noneMatch(Command.Renew.class::isInstance);
    assertThat(others.tryLock("report")).isInstanceOf(Acquisition.Acquired.class);
  }

  /** The store has granted it, but its answer is in flight until the test releases it. */
  private CompletableFuture<List<Outcome>> heldBack(
      List<Command> batch, CompletableFuture<Runnable> answering) {
    CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
    List<Outcome> outcomes = fixture.behind(batch).toCompletableFuture().join();
    assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Granted.class);
    answering.complete(() -> answer.complete(outcomes));
    return answer;
  }

  private static void interruptedIn(Locks locks) {
    try {
      Lease unexpected = locks.lock("report", Duration.ofMinutes(1));
      throw new AssertionError(unexpected.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** DynamoDB lock client PR #116: a heartbeat in flight wrote the record of a released lock. */
  @Test
  void aReleasedLockMustNotBeRevivedByALateHeartbeat() throws Exception {
    List<List<Command>> late = new ArrayList<>();
    fixture.storeTakesBatches(
        batch -> {
          if (renews(batch)) {
            late.add(batch);
            return new CompletableFuture<>();
          }
          return fixture.behind(batch);
        });
    Lease lease = BlocksFixture.lease(locks.tryLock("report"));
    fixture.advance(Duration.ofSeconds(12));
    assertThat(late).isNotEmpty();
    assertThat(lease.release()).isEqualTo(new Release.Released());

    List<Outcome> outcomes = fixture.behind(late.getFirst()).toCompletableFuture().join();

    assertThat(outcomes).containsExactly(new Outcome.Lost(new LossReason.Released()));
    assertThat(fixture.holderOf(KEY)).isEmpty();
    int renewals = late.size();
    fixture.advance(Duration.ofMinutes(1));
    assertThat(late).as("the holder sends none any more").hasSize(renewals);
  }

  /** ShedLock #1986: the owner was only the host name, and unlock did not compare it. */
  @Test
  void twoProcessesWithOneHostNameMustNotGiveEachOthersLocksBack() throws Exception {
    Locks first = Locks.on(fixture.process("host"));
    Locks second = Locks.on(fixture.process("host"));
    Lease old = BlocksFixture.lease(first.tryLock("report"));
    assertThat(second.tryLock("report")).isInstanceOf(Acquisition.Held.class);
    fixture.pause(Duration.ofSeconds(31));
    Lease taken = BlocksFixture.lease(second.tryLock("report"));

    assertThat(old.release()).isInstanceOf(Release.AlreadyOver.class);

    taken.ensureHeld();
    assertThat(fixture.holderOf(KEY)).contains("host");
    assertThat(others.tryLock("report"))
        .isInstanceOfSatisfying(
            Acquisition.Held.class, held -> assertThat(held.token()).isEqualTo(taken.token()));
  }

  @Test
  void acquisitionByManyAtOnceMustNotGiveTwoWinners() throws Exception {
    int many = 16;
    CyclicBarrier start = new CyclicBarrier(many);
    try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
      List<Future<Acquisition>> asked = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        Locks mine = Locks.on(fixture.process("process-" + i));
        asked.add(
            threads.submit(
                () -> {
                  start.await();
                  return mine.tryLock("report");
                }));
      }
      int winners = 0;
      for (Future<Acquisition> one : asked) {
        Acquisition answer = one.get();
        winners += answer instanceof Acquisition.Acquired ? 1 : 0;
        assertThat(answer).isInstanceOfAny(Acquisition.Acquired.class, Acquisition.Held.class);
      }
      assertThat(winners).isEqualTo(1);
    }
  }
}
