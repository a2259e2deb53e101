package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * One pass through everything that needs no settable clock, on the cluster that {@code
 * LEASEHOLD_TEST_COCKROACH} names. The same pass on PostgreSQL shows that the test itself works.
 */
class CockroachClusterTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final Instance BOB = Instance.of("b".repeat(32));

  @Test
  @EnabledIfEnvironmentVariable(named = "LEASEHOLD_TEST_COCKROACH", matches = ".+")
  void aClusterKeepsLeases() {
    try (Schema schema = new Schema(PostgresServer.cluster().orElseThrow())) {
      walk(schema);
    }
  }

  @Test
  void soDoesPostgres() {
    try (Schema schema = new Schema()) {
      walk(schema);
    }
  }

  private static void walk(Schema schema) {
    try (JdbcStore store = schema.store().migrate().open();
        JdbcStore other = schema.store().migrate().open()) {
      TestListener listener = new TestListener();
      other.leases().watch("", listener);
      listener.awaitReset();
      Token first = TestCommands.acquire(store.leases(), KEY);
      listener.await(new LeaseChange(Kind.GRANTED, KEY, first));
      holds(store.leases(), other.leases(), first);
      movesOn(store.leases(), other, first);
      revokesAndReopens(store.leases());
      manyAtOnce(store.leases());
      assertThat(TestCommands.get(store.diagnostics().deliversChanges())).isTrue();
      assertThat(TestCommands.get(store.tidy())).isNotNegative();
      advances(store, other.leases());
    }
  }

  private static void holds(LeaseStore store, LeaseStore other, Token token) {
    assertThat(TestCommands.outcome(other, bobAcquires(KEY))).isInstanceOf(Outcome.Held.class);
    assertThat(TestCommands.outcome(store, Command.Renew.of(KEY, token, TestCommands.ANN)))
        .isInstanceOf(Outcome.Renewed.class);
    assertThat(TestCommands.outcome(other, Command.Renew.of(KEY, token, BOB)))
        .isInstanceOf(Outcome.Lost.class);
    assertThat(TestCommands.get(other.read(KEY))).isPresent();
  }

  private static void movesOn(LeaseStore store, JdbcStore other, Token first) {
    Command.Heir heir = new Command.Heir("bob", BOB.id());
    assertThat(
            TestCommands.outcome(
                store,
                new Command.HandOver(KEY, first, TestCommands.ANN, RequestId.random(), heir)))
        .isInstanceOf(Outcome.HandedOver.class);
    Token second = TestCommands.get(other.leases().read(KEY)).orElseThrow().record().last();
    assertThat(second).isGreaterThan(first);
    assertThat(
            TestCommands.outcome(
                other.leases(), new Command.Release(KEY, second, BOB, RequestId.random())))
        .isInstanceOf(Outcome.Released.class);
    assertThat(TestCommands.acquireAndRelease(store, KEY)).isGreaterThan(second);
    assertThat(TestCommands.get(other.part(PastGrants.class).orElseThrow().of(KEY))).isNotEmpty();
    assertThat(TestCommands.outcome(other.leases(), new Command.Purge(KEY, 0)))
        .isInstanceOf(Outcome.Kept.class);
  }

  private static void revokesAndReopens(LeaseStore store) {
    Token unused = TestCommands.acquire(store, KEY);
    Command revoke =
        new Command.Revoke(
            KEY,
            new Operator("olga"),
            new Explanation("a test"),
            Reopening.BY_OPERATOR,
            RequestId.random());
    assertThat(TestCommands.outcome(store, revoke)).isInstanceOf(Outcome.Revoked.class);
    assertThat(TestCommands.outcome(store, revoke)).isInstanceOf(Outcome.Revoked.class);
    assertThat(TestCommands.outcome(store, bobAcquires(KEY))).isInstanceOf(Outcome.Closed.class);
    assertThat(
            TestCommands.outcome(
                store, new Command.Reopen(KEY, new Operator("olga"), RequestId.random())))
        .isInstanceOf(Outcome.Reopened.class);
  }

  /** Existing and new keys are acquired, released and renewed, in one batch. */
  private static void manyAtOnce(LeaseStore store) {
    LeaseKey held = new LeaseKey("lock/held");
    Token token = TestCommands.acquire(store, held);
    List<Outcome> outcomes =
        TestCommands.get(
            store.apply(
                List.of(
                    bobAcquires(new LeaseKey("lock/new")),
                    Command.Renew.of(held, token, TestCommands.ANN),
                    new Command.Release(held, token, TestCommands.ANN, RequestId.random()),
                    bobAcquires(held),
                    new Command.Abandon(new LeaseKey("lock/never"), BOB, RequestId.random()))));
    assertThat(outcomes)
        .extracting(outcome -> outcome.getClass().getSimpleName())
        .containsExactly("Granted", "Renewed", "Released", "Granted", "Abandoned");
  }

  private static void advances(JdbcStore store, LeaseStore other) {
    int before = TestCommands.get(store.diagnostics().identity()).incarnation();
    Advance above = new Advance(OptionalInt.of(before), OptionalInt.empty(), OptionalLong.of(0));
    assertThat(TestCommands.get(store.leases().advance(above)))
        .isInstanceOf(Advance.Advanced.class);
    assertThat(TestCommands.get(store.diagnostics().identity()).incarnation())
        .isGreaterThan(before);
    assertThat(TestCommands.outcome(other, bobAcquires(KEY))).isInstanceOf(Outcome.Closed.class);
  }

  private static Command bobAcquires(LeaseKey key) {
    return Command.Acquire.of(key, BOB, RequestId.random(), Terms.of("bob", TestCommands.TTL));
  }
}
