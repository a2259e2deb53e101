package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.leases.LeaseRow;
import dev.leasehold.testkit.random.Seed;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page purges exactly the records that the rule purges one by one, and raises their floors. */
abstract class PurgedByRule {
  private static final int RECORDS = 600;

  /** So that a page has several records of one bucket, of which the highest token counts. */
  private static final int BUCKETS = 100;

  private static final long NOW = TestCommands.START_MILLIS;
  private static final long DEAD_FOR = Duration.ofHours(1).toMillis();

  private static final RequestMemory NOTHING =
      new RequestMemory() {
        @Override
        public Optional<Remembered> effectOf(Remembered.Request request) {
          return Optional.empty();
        }

        @Override
        public Optional<LossReason> endOf(Token token) {
          return Optional.empty();
        }
      };

  private TwoHandles stores;

  abstract TwoHandles open(long startMillis);

  abstract Dialect dialect();

  @BeforeEach
  void openStore() {
    stores = open(NOW);
  }

  @AfterEach
  void closeStore() {
    stores.close();
  }

  private static boolean purges(LeaseRecord record, StoreIncarnation storeIncarnation) {
    Command purge = new Command.Purge(record.key(), DEAD_FOR);
    KeyState state = new KeyState(record, storeIncarnation, NOTHING);
    return LeaseRules.decide(state, purge, NOW, Limits.SINGLE_NODE).outcome()
        instanceof Outcome.Purged;
  }

  @Test
  void what_a_page_purges_is_what_the_rule_purges() throws SQLException {
    JdbcStore store = stores.jdbc();
    StoreIncarnation storeIncarnation =
        new StoreIncarnation(TestCommands.get(store.diagnostics().identity()).incarnation(), 0);
    Seed seed = Seed.forTest("purge by pages");
    Records records = new Records(seed.random(), storeIncarnation);
    List<LeaseRecord> all = new ArrayList<>();
    for (int i = 0; all.size() < RECORDS; i++) {
      LeaseKey key = new LeaseKey("run/" + i);
      if (Buckets.of(key) < BUCKETS) {
        all.add(records.next(key));
      }
    }
    insert(all);
    Map<Integer, Long> expectedFloors = floors();
    List<LeaseKey> expectedLeft = new ArrayList<>();
    int purged = 0;
    for (LeaseRecord record : all) {
      if (purges(record, storeIncarnation)) {
        purged++;
        expectedFloors.merge(Buckets.of(record.key()), record.last().value(), Math::max);
      } else {
        expectedLeft.add(record.key());
      }
    }
    assertThat(purged).as("%s", seed).isBetween(RECORDS / 10, RECORDS * 9 / 10);
    assertThat(TestCommands.get(store.leases().purge(new PurgeQuery(DEAD_FOR, RECORDS))).purged())
        .as("%s", seed)
        .isEqualTo(purged);
    assertThat(
            TestCommands.get(store.leases().list(new ListQuery("run/", Optional.empty(), RECORDS)))
                .items()
                .stream()
                .map(reading -> reading.record().key()))
        .as("%s", seed)
        .containsExactlyInAnyOrderElementsOf(expectedLeft);
    assertThat(floors()).as("%s", seed).isEqualTo(expectedFloors);
  }

  private void insert(List<LeaseRecord> records) throws SQLException {
    try (StoreConnection connection = RawConnection.on(stores.connect(), dialect())) {
      for (LeaseRecord record : records) {
        PreparedStatement statement = connection.prepare("insert-lease");
        new LeaseRow(record, false, Optional.empty()).bind(statement, Buckets.of(record.key()));
        assertThat(statement.executeUpdate()).isEqualTo(1);
      }
    }
  }

  private Map<Integer, Long> floors() throws SQLException {
    try (StoreConnection connection = RawConnection.on(stores.connect(), dialect());
        var statement = connection.jdbc().createStatement();
        var rows = statement.executeQuery("SELECT bucket, token FROM leasehold_floor")) {
      Map<Integer, Long> floors = new HashMap<>();
      while (rows.next()) {
        floors.put(rows.getInt(1), rows.getLong(2));
      }
      return floors;
    }
  }

  /** Records in every state, with times close to the bound on both sides. */
  private record Records(SplittableRandom random, StoreIncarnation storeIncarnation) {
    LeaseRecord next(LeaseKey key) {
      int incarnation = storeIncarnation.incarnation() - random.nextInt(2);
      long counter = random.nextInt(20) == 0 ? Token.MAX_COUNTER : 2 + random.nextInt(1_000);
      Token last = Token.of(incarnation, counter);
      return new LeaseRecord(
          key,
          last,
          random.nextInt(8) == 0 ? Optional.empty() : Optional.of(grant(last)),
          random.nextInt(4) == 0 ? Optional.of(closure()) : Optional.empty(),
          random.nextInt(4) == 0 ? Optional.of(bar()) : Optional.empty(),
          time());
    }

    /** Mostly before the bound, now and then at it or right after it. */
    private long time() {
      return switch (random.nextInt(8)) {
        case 0 -> NOW - DEAD_FOR + 1;
        case 1 -> NOW - DEAD_FOR;
        case 2 -> NOW - random.nextLong(DEAD_FOR);
        default -> NOW - DEAD_FOR - random.nextLong(DEAD_FOR);
      };
    }

    private Closure closure() {
      return new Closure(
          "why", random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(time()));
    }

    private Bar bar() {
      return new Bar(TestCommands.ANN.id(), "why", time());
    }

    private Grant grant(Token last) {
      Token token = random.nextBoolean() ? last : Token.of(last.incarnation(), last.counter() - 1);
      return new Grant(
          token,
          TestCommands.ANN.id(),
          new RequestId("r" + random.nextInt(1_000_000)),
          Terms.of("ann", TestCommands.TTL),
          NOW - 3 * DEAD_FOR,
          NOW - 3 * DEAD_FOR,
          time(),
          new Progress(0, NOW - 3 * DEAD_FOR),
          standing());
    }

    private Standing standing() {
      return switch (random.nextInt(5)) {
        case 0 -> Standing.OPEN;
        case 1 -> Standing.LAPSED;
        case 2 -> new Standing.Ended(new LossReason.Released(), time());
        case 3 -> new Standing.Ended(new LossReason.Revoked("op", "why"), time());
        default -> new Standing.Ended(new LossReason.IncarnationAdvanced(), time());
      };
    }
  }
}
