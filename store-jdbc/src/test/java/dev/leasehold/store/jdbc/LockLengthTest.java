package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.locks.Locks;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** At least and at most on real stores, by their clocks; no test waits for the least to pass. */
class LockLengthTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration NEARLY_AN_HOUR = Duration.ofMinutes(45);
  private static final Duration TTL = Duration.ofSeconds(30);

  @TempDir Path folder;

  private interface Check {
    void on(String url) throws Exception;
  }

  private void onEach(Check check) throws Exception {
    check.on("sqlite:" + folder.resolve("leases.db"));
    try (Schema schema = new Schema()) {
      check.on(schema.url(""));
    }
  }

  private static JdbcStore open(String url) {
    return JdbcStore.at(url).migrate().open();
  }

  private static LeaseRequest hourly() {
    return Locks.named("hourly").ttl(TTL).atLeastFor(HOUR);
  }

  private static Lease lease(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  @Test
  void a_key_is_kept_at_least_so_long_though_its_process_has_ended() throws Exception {
    onEach(
        url -> {
          try (JdbcStore store = open(url);
              Leases leases = Leases.on(store).holder("one").open()) {
            assertThat(lease(Locks.on(leases).tryLock(hourly())).release())
                .isInstanceOf(Release.Kept.class);
          }
          try (JdbcStore store = open(url);
              Leases leases = Leases.on(store).holder("two").open()) {
            requireHeldForNearlyAnHour(Locks.on(leases).tryLock("hourly"));
          }
        });
  }

  private static void requireHeldForNearlyAnHour(Acquisition told) {
    assertThat(told)
        .isInstanceOfSatisfying(
            Acquisition.Held.class,
            held -> {
              assertThat(held.holder()).isEqualTo("one");
              assertThat(held.remaining()).isBetween(NEARLY_AN_HOUR, HOUR);
            });
  }

  @Test
  void a_renewal_for_the_ttl_does_not_cut_it_short() throws Exception {
    Instance one = Instance.random();
    onEach(
        url -> {
          try (JdbcStore store = open(url);
              Leases leases = Leases.on(store).instance(one).holder("one").open();
              Leases others = Leases.on(store).holder("two").open()) {
            Lease lease = lease(Locks.on(leases).tryLock(hourly()));
            Command renewal =
                new Command.Renew(
                    lease.key(), lease.token(), one, OptionalLong.of(TTL.toMillis()), 0);
            assertThat(TestCommands.outcome(store.leases(), renewal))
                .isInstanceOfSatisfying(
                    Outcome.Renewed.class,
                    renewed ->
                        assertThat(renewed.remainingMillis())
                            .isBetween(NEARLY_AN_HOUR.toMillis(), HOUR.toMillis()));
            requireHeldForNearlyAnHour(Locks.on(others).tryLock("hourly"));

            lease.decline();
            lease(Locks.on(others).tryLock("hourly")).close();
          }
        });
  }

  @Test
  void work_is_interrupted_when_its_time_is_up_and_its_key_is_free_when_it_has_ended()
      throws Exception {
    onEach(
        url -> {
          try (JdbcStore store = open(url);
              Leases leases = Leases.on(store).holder("one").open();
              Leases others = Leases.on(store).holder("two").open()) {
            LeaseRequest brief =
                Locks.named("brief")
                    .ttl(TTL)
                    .grace(Duration.ZERO)
                    .atMostFor(Duration.ofMillis(200));

            WorkResult<Boolean> tenure =
                Locks.on(leases)
                    .call(
                        brief,
                        Duration.ZERO,
                        lease -> new CountDownLatch(1).await(1, TimeUnit.MINUTES));

            assertThat(tenure).isInstanceOf(WorkResult.LostMeanwhile.class);
            WorkResult.LostMeanwhile<Boolean> lost = (WorkResult.LostMeanwhile<Boolean>) tenure;
            assertThat(lost.reason()).isEqualTo(new LossReason.OutOfTime());
            assertThat(lost.thrown()).containsInstanceOf(InterruptedException.class);
            // No caller waits for the release of a lease that is out of time; the next acquire
            // does.
            Locks.on(others).lock("brief", Duration.ofMinutes(1)).close();
          }
        });
  }
}
