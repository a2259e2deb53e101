package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that are read together, with one query. */
class SqliteBatchTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final LeaseKey OTHER = new LeaseKey("lock/other");
  private static final LeaseKey QUOTED = new LeaseKey("lock/a\"b\\c'd");

  @TempDir Path folder;
  private JdbcStore store;

  @BeforeEach
  void open() {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<Outcome> apply(Command... commands) {
    return TestCommands.get(store.leases().apply(List.of(commands)));
  }

  private static Command acquire(LeaseKey key, String request) {
    return Command.Acquire.of(
        key, TestCommands.ANN, new RequestId(request), Terms.of("ann", TestCommands.TTL));
  }

  private static Token token(Outcome outcome) {
    return ((Outcome.Granted) outcome).grant().token();
  }

  private static void assertHeld(Outcome outcome, Token token) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Held.class, held -> assertThat(held.token()).isEqualTo(token));
  }

  @Test
  void each_command_is_answered_for_its_own_key() {
    List<Outcome> first = apply(acquire(KEY, "1"), acquire(QUOTED, "2\"\\"));
    TestCommands.release(store.leases(), KEY, token(first.get(0)));
    List<Outcome> second = apply(acquire(QUOTED, "3"), acquire(OTHER, "4"), acquire(KEY, "5"));
    assertHeld(second.get(0), token(first.get(1)));
    assertThat(token(second.get(1)).counter()).isEqualTo(1);
    assertThat(token(second.get(2)).counter()).isEqualTo(2);
  }

  @Test
  void a_command_sees_what_an_earlier_one_of_its_batch_has_done_to_its_key() {
    List<Outcome> outcomes =
        apply(acquire(KEY, "1"), acquire(OTHER, "2"), acquire(KEY, "1"), acquire(KEY, "3"));
    assertThat(token(outcomes.get(2))).isEqualTo(token(outcomes.get(0)));
    assertHeld(outcomes.get(3), token(outcomes.get(0)));
  }

  @Test
  void a_request_that_others_have_followed_is_known_among_new_ones() {
    String request = "1\"\\";
    Token past = token(apply(acquire(KEY, request)).getFirst());
    TestCommands.release(store.leases(), KEY, past);
    TestCommands.acquireAndRelease(store.leases(), KEY);
    List<Outcome> outcomes = apply(acquire(OTHER, "2"), acquire(KEY, request));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            Outcome.Ended.class, ended -> assertThat(ended.token()).isEqualTo(past));
  }

  @Test
  void a_request_that_was_abandoned_before_it_came_is_known_among_new_ones() {
    Command abandon = new Command.Abandon(KEY, TestCommands.ANN, new RequestId("1"));
    List<Outcome> outcomes = apply(abandon, acquire(OTHER, "2"), acquire(KEY, "1"));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Abandoned.class);
  }
}
