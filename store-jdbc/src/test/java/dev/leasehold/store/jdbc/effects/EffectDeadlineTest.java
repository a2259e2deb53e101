package dev.leasehold.store.jdbc.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.time.ManualTicker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a change may last. */
class EffectDeadlineTest {
  private final ManualTicker ticker = new ManualTicker();
  private final List<String> calls = new ArrayList<>();
  private final EffectConnection effect =
      new EffectConnection(
          (Connection) answering(Connection.class, calls),
          EffectDeadline.in(ticker, Duration.ofSeconds(3)));

  @Test
  void it_is_over_when_the_trust_is() throws SQLException {
    EffectDeadline deadline = EffectDeadline.in(ticker, Duration.ofSeconds(3));
    assertThat(deadline.leftMillis()).isEqualTo(3_000);
    ticker.advance(Duration.ofSeconds(3).minusNanos(1));
    deadline.require();
    // Zero would mean no limit.
    assertThat(deadline.leftMillis()).isOne();
    ticker.advance(Duration.ofNanos(1));
    assertThat(deadline.isOver()).isTrue();
    assertThatThrownBy(deadline::require).isInstanceOf(SQLTimeoutException.class);
  }

  @Test
  void a_bound_makes_it_shorter_and_never_longer() {
    EffectDeadline deadline = EffectDeadline.in(ticker, Duration.ofSeconds(3));
    assertThat(deadline.atMost(2_000).leftMillis()).isEqualTo(2_000);
    assertThat(deadline.atMost(4_000)).isEqualTo(deadline);
  }

  /** A stand-in whose schema is "app", and whose statements are stand-ins too. */
  private static Object answering(Class<?> kind, List<String> calls) {
    return Proxy.newProxyInstance(
        EffectDeadlineTest.class.getClassLoader(),
        new Class<?>[] {kind},
        (proxy, method, given) -> {
          calls.add(method.getName());
          return switch (method.getName()) {
            case "prepareStatement" -> answering(PreparedStatement.class, calls);
            case "executeUpdate", "hashCode" -> 1;
            case "getSchema" -> "app";
            default -> null;
          };
        });
  }

  /** Otherwise a loop of short statements would run for ever. */
  @Test
  void a_connection_does_nothing_any_more_when_it_is_over() throws SQLException {
    Connection lent = effect.lent();
    assertThat(lent.getSchema()).isEqualTo("app");
    ticker.advance(Duration.ofSeconds(3));
    assertThatThrownBy(lent::getSchema).isInstanceOf(SQLTimeoutException.class);
  }

  @Test
  void nor_does_a_statement_that_is_run_again_and_again() throws SQLException {
    try (PreparedStatement statement = effect.lent().prepareStatement("UPDATE a SET b = 1")) {
      assertThat(statement.executeUpdate()).isOne();
      ticker.advance(Duration.ofSeconds(3));
      assertThatThrownBy(statement::executeUpdate).isInstanceOf(SQLTimeoutException.class);
    }
    assertThat(calls).filteredOn("executeUpdate"::equals).hasSize(1);
    assertThat(calls.getLast()).isEqualTo("close");
  }

  @Test
  void what_the_change_has_left_open_is_closed_when_it_returns() throws SQLException {
    PreparedStatement statement = effect.lent().prepareStatement("UPDATE a SET b = 1");
    effect.takeBack();
    assertThat(calls.getLast()).isEqualTo("close");
    assertThatThrownBy(statement::executeUpdate).hasMessageContaining("is over");
  }
}
