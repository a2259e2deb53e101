package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Dialect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL remembers of a request. */
class RememberedRequestsTest {
  private static final LeaseKey KEY = new LeaseKey("lock/remembered");
  private static final Instance BOB = Instance.of("b".repeat(32));

  private TwoHandles handles;
  private LeaseStore store;

  @BeforeEach
  void open() {
    handles =
        new PostgresStoreUnderTest(
            TestCommands.START_MILLIS, Dialect.POSTGRESQL, "read\\ committed");
    store = handles.store();
  }

  @AfterEach
  void close() {
    handles.close();
  }

  private Outcome acquire(Instance instance, String request) {
    return TestCommands.outcome(
        store,
        Command.Acquire.of(
            KEY, instance, new RequestId(request), Terms.of("who", TestCommands.TTL)));
  }

  private static Token token(Outcome outcome) {
    return ((Outcome.Granted) outcome).grant().token();
  }

  /** The heir never sent the request by which it got the key. */
  @Test
  void an_heir_that_acquires_under_the_givers_request_id_is_decided_afresh() {
    Token given = token(acquire(TestCommands.ANN, "first"));
    Command.Heir heir = new Command.Heir("bob", BOB.id());
    Outcome handed =
        TestCommands.outcome(
            store,
            new Command.HandOver(KEY, given, TestCommands.ANN, new RequestId("given"), heir));
    Token inherited = ((Outcome.HandedOver) handed).token();
    assertThat(
            TestCommands.outcome(
                store, new Command.Release(KEY, inherited, BOB, new RequestId("end"))))
        .isInstanceOf(Outcome.Released.class);
    Token next = token(acquire(TestCommands.ANN, "second"));
    TestCommands.release(store, KEY, next);
    assertThat(acquire(BOB, "given")).isInstanceOf(Outcome.Granted.class);
  }

  @Test
  void a_request_is_forgotten_when_its_time_is_over() {
    Token first = token(acquire(TestCommands.ANN, "first"));
    TestCommands.release(store, KEY, first);
    handles.setClock(TestCommands.START_MILLIS + Limits.MIN_MEMORY_MILLIS);
    assertThat(acquire(TestCommands.ANN, "first")).isInstanceOf(Outcome.Ended.class);
    handles.setClock(TestCommands.START_MILLIS + Limits.MIN_MEMORY_MILLIS + 1);
    assertThat(token(acquire(TestCommands.ANN, "first"))).isGreaterThan(first);
  }
}
