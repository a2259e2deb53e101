package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A row that a user has garbled by hand spoils only the answers to its own commands. */
abstract class UnreadableRowContract {
  private static final LeaseKey GARBLED = new LeaseKey("lock/garbled");
  private static final LeaseKey GOOD = new LeaseKey("lock/good");
  private static final LeaseKey OVER = new LeaseKey("lock/over");

  abstract JdbcStore store();

  abstract void execute(String sql) throws SQLException;

  private void garble() throws SQLException {
    execute("UPDATE leasehold_lease SET instance_id = 'no id' WHERE key = '" + GARBLED + "'");
  }

  private List<Outcome> apply(Command... commands) {
    return TestCommands.get(store().leases().apply(List.of(commands)));
  }

  @Test
  void others_are_renewed_told_of_their_loss_and_released_all_the_same() throws SQLException {
    Token garbled = TestCommands.acquire(store().leases(), GARBLED);
    Token good = TestCommands.acquire(store().leases(), GOOD);
    Token over = TestCommands.acquireAndRelease(store().leases(), OVER);
    garble();
    List<Outcome> renewed =
        apply(
            Command.Renew.of(GARBLED, garbled, TestCommands.ANN),
            Command.Renew.of(GOOD, good, TestCommands.ANN),
            Command.Renew.of(OVER, over, TestCommands.ANN));
    assertThat(renewed.get(0)).isInstanceOf(Outcome.Failed.class);
    assertThat(renewed.get(1)).isInstanceOf(Outcome.Renewed.class);
    assertThat(renewed.get(2)).isEqualTo(new Outcome.Lost(new LossReason.Released()));
    List<Outcome> released =
        apply(TestCommands.releasing(GARBLED, garbled), TestCommands.releasing(GOOD, good));
    assertThat(released.get(0))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED));
    assertThat(released.get(1)).isInstanceOf(Outcome.Released.class);
  }

  @Test
  void others_are_granted_all_the_same() throws SQLException {
    TestCommands.acquire(store().leases(), GARBLED);
    garble();
    List<Outcome> outcomes = apply(TestCommands.acquiring(GARBLED), TestCommands.acquiring(GOOD));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
  }

  private static ObjectCommand put(String id) {
    return new ObjectCommand.Put(
        ObjectName.of("sandbox", id),
        Payload.ofText("x"),
        Expectation.ANYTHING,
        Optional.empty(),
        RequestId.random());
  }

  @Test
  void other_objects_are_written_all_the_same() throws SQLException {
    execute(
        "INSERT INTO leasehold_object_binding (type, id, key, bound_by, bound_at)"
            + " VALUES ('sandbox', 'garbled', 'no key', 'olga', 0)");
    List<ObjectOutcome> outcomes =
        TestCommands.get(
            store()
                .objects()
                .apply(List.of(put("a"), put("garbled"), put("b"), put("garbled"), put("b"))));
    for (int garbled : List.of(1, 3)) {
      assertThat(outcomes.get(garbled))
          .isInstanceOfSatisfying(
              ObjectOutcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED));
    }
    assertThat(outcomes.get(0)).isInstanceOf(ObjectOutcome.Created.class);
    assertThat(outcomes.get(2)).isInstanceOf(ObjectOutcome.Created.class);
    assertThat(outcomes.get(4)).isInstanceOf(ObjectOutcome.Replaced.class);
  }
}
