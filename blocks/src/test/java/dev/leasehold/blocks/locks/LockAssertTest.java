package dev.leasehold.blocks.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.BlocksFixture;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.WorkResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LockAssertTest {
  private final BlocksFixture fixture = new BlocksFixture();
  private final Locks locks = Locks.on(fixture.process("one"));

  private static void pay() {
    LockAssert.ensureHeld("payments");
  }

  @Test
  void codeThatRunsUnderItsLockGoesOn() throws Exception {
    assertThat(
            locks.callIfFree("payments", lease -> LockAssert.ensureHeld("payments").equals(lease)))
        .isEqualTo(new WorkResult.Done<>(true));
  }

  @Test
  void codeWithoutItsLockIsRefused() throws Exception {
    assertThatThrownBy(LockAssertTest::pay)
        .isInstanceOf(NotLockedException.class)
        .hasMessageContaining("lock/payments");
    assertThatThrownBy(() -> locks.runIfFree("refunds", lease -> pay()))
        .isInstanceOf(NotLockedException.class);
  }

  @Test
  void codeIsRefusedOnceItsWorkHasEnded() throws Exception {
    assertThat(locks.runIfFree("payments", lease -> pay())).isInstanceOf(WorkResult.Done.class);

    assertThatThrownBy(LockAssertTest::pay).isInstanceOf(NotLockedException.class);
  }

  @Test
  void workWithinWorkRunsUnderBothLocks() throws Exception {
    WorkResult<?> outer =
        locks.runIfFree(
            "payments",
            payments -> {
              WorkResult<?> inner = locks.runIfFree("refunds", refunds -> pay());
              assertThat(inner).isInstanceOf(WorkResult.Done.class);
              assertThatThrownBy(() -> LockAssert.ensureHeld("refunds"))
                  .isInstanceOf(NotLockedException.class);
              pay();
            });

    assertThat(outer).isInstanceOf(WorkResult.Done.class);
  }

  @Test
  void codeWhoseLockIsLostIsToldWhy() throws Exception {
    CompletableFuture<Throwable> told = new CompletableFuture<>();

    WorkResult<?> lost =
        locks.runIfFree(
            "payments",
            lease -> {
              fixture.pause(Duration.ofSeconds(31));
              try {
                pay();
              } catch (LeaseLostException e) {
                told.complete(e);
              }
            });

    assertThat(told).isCompleted();
    assertThat(lost).isInstanceOf(WorkResult.LostMeanwhile.class);
  }

  @Test
  void anotherThreadHasToBeHandedTheLease() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    WorkResult<?> done =
        locks.runIfFree(
            "payments",
            lease ->
                Thread.ofPlatform()
                    .start(
                        () -> {
                          try {
                            pay();
                          } catch (NotLockedException e) {
                            refused.complete(e);
                          }
                        })
                    .join());

    assertThat(done).isInstanceOf(WorkResult.Done.class);
    assertThat(refused).isCompleted();
  }

  @Test
  void aPermitIsAskedForByTheNameOfAll() throws Exception {
    WorkResult<?> done =
        locks
            .permits("api", 3)
            .runIfFree(
                lease -> {
                  assertThat(LockAssert.ensurePermit("api")).isEqualTo(lease);
                  assertThatThrownBy(() -> LockAssert.ensurePermit("ap"))
                      .isInstanceOf(NotLockedException.class);
                  assertThatThrownBy(() -> LockAssert.ensureHeld("api"))
                      .isInstanceOf(NotLockedException.class);
                });

    assertThat(done).isInstanceOf(WorkResult.Done.class);
  }
}
