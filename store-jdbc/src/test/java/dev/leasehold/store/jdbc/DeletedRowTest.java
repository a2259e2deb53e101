package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.LossReason;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The row of one of several held leases is deleted by hand: only that lease is lost. */
class DeletedRowTest {
  @AutoClose private final Schema schema = new Schema();

  private static Lease take(Leases leases, String key) throws InterruptedException {
    LeaseRequest request =
        LeaseRequest.of(new LeaseKey(key))
            .ttl(Duration.ofMinutes(5))
            .renewEvery(Duration.ofMillis(200));
    return ((Acquisition.Acquired) leases.tryAcquire(request)).lease();
  }

  @Test
  void the_others_go_on_and_the_key_is_granted_again_above_it()
      throws SQLException, InterruptedException {
    try (JdbcStore store = schema.store().migrate().open();
        Leases leases = Leases.on(store).open()) {
      Lease first = take(leases, "lock/first");
      Lease deleted = take(leases, "lock/deleted");
      schema.execute("DELETE FROM leasehold_lease WHERE key = 'lock/deleted'");

      LossReason reason = TestCommands.get(deleted.lost());
      assertThat(reason).isEqualTo(LossReason.Unknown.after(deleted.token()));
      assertThat(first.lossReason()).isEmpty();
      first.ensureHeld();
      take(leases, "lock/new").ensureHeld();
      assertThat(take(leases, "lock/deleted").token()).isGreaterThan(deleted.token());
      assertThat(store.diagnostics().refusal()).isEmpty();
    }
  }

  /** The floor has gone back with the row: for any cause, the store has lost writes. */
  @Test
  void a_row_whose_floor_is_too_low_as_well_stops_everything()
      throws SQLException, InterruptedException {
    try (JdbcStore store = schema.store().migrate().open();
        Leases leases = Leases.on(store).open()) {
      Lease first = take(leases, "lock/first");
      Lease deleted = take(leases, "lock/deleted");
      schema.execute(
          "BEGIN; DELETE FROM leasehold_lease WHERE key = 'lock/deleted'; UPDATE leasehold_floor"
              + " SET token = token - 1 WHERE token = "
              + deleted.token()
              + "; COMMIT");

      assertThat(TestCommands.get(deleted.lost())).isInstanceOf(LossReason.Unknown.class);
      assertThat(TestCommands.get(first.lost())).isInstanceOf(LossReason.Broken.class);
    }
  }
}
