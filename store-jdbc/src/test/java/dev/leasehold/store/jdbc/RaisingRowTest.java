package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A row that the database refuses to write, by a trigger of the user's. */
class RaisingRowTest {
  private static final int RENEWALS = 500;

  /** Halving 500 down to one takes 9 steps of 2 updates; a few more come before and after. */
  private static final int FEW = 60;

  @AutoClose private final Schema schema = new Schema();

  private static LeaseKey key(int number) {
    return new LeaseKey("run/" + number);
  }

  private static Command renewing(LeaseKey key, Outcome granted) {
    Token token = ((Outcome.Granted) granted).grant().token();
    return new Command.Renew(key, token, TestCommands.ANN, OptionalLong.empty(), 1);
  }

  /** Updates are counted by a sequence, which is not rolled back. */
  private void refuseRow(LeaseKey key) throws SQLException {
    schema.execute("CREATE SEQUENCE updates");
    schema.execute(
        """
        CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.key = '%s' THEN RAISE EXCEPTION 'not this one'; END IF;
          RETURN NEW;
        END $$;
        CREATE FUNCTION count_update() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('%s.updates'); RETURN NULL; END $$;
        CREATE TRIGGER zz_row BEFORE UPDATE ON leasehold_lease
          FOR EACH ROW EXECUTE FUNCTION refuse_row();
        CREATE TRIGGER zz_count BEFORE UPDATE ON leasehold_lease
          FOR EACH STATEMENT EXECUTE FUNCTION count_update();
        """
            .formatted(key.text(), schema.value("SELECT current_schema()")));
  }

  @Test
  void one_costs_the_renewals_beside_it_a_few_statements() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      List<Command> acquires =
          IntStream.range(0, RENEWALS).mapToObj(i -> TestCommands.acquiring(key(i))).toList();
      List<Outcome> granted = TestCommands.get(store.leases().apply(acquires));
      List<Command> renewals =
          IntStream.range(0, RENEWALS).mapToObj(i -> renewing(key(i), granted.get(i))).toList();
      refuseRow(key(77));
      List<Outcome> outcomes = TestCommands.get(store.leases().apply(renewals));
      assertThat(outcomes).filteredOn(Outcome.Renewed.class::isInstance).hasSize(RENEWALS - 1);
      assertThat(outcomes.get(77)).isInstanceOf(Outcome.Failed.class);
      assertThat(Integer.parseInt(schema.value("SELECT last_value FROM updates"))).isLessThan(FEW);
    }
  }
}
