package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.time.ManualTicker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a change may last. */
class EffectDeadlineTest {
  private final ManualTicker ticker = new ManualTicker();

  @Test
  void it_is_over_when_the_trust_is() throws SQLException {
    EffectDeadline deadline = EffectDeadline.in(ticker, Duration.ofSeconds(3));
    assertThat(deadline.leftMillis()).isEqualTo(3_000);
    ticker.advance(Duration.ofSeconds(3).minusNanos(1));
    deadline.require();
    // Zero would be for ever.
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

  /** Else a loop of short statements would go on for ever. */
  @Test
  void a_connection_does_nothing_any_more_when_it_is_over() throws SQLException {
    Connection none =
        (Connection)
            Proxy.newProxyInstance(
                EffectDeadlineTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, given) -> "app");
    Connection lent =
        new EffectConnection(none, EffectDeadline.in(ticker, Duration.ofSeconds(3))).lent();
    assertThat(lent.getSchema()).isEqualTo("app");
    ticker.advance(Duration.ofSeconds(3));
    assertThatThrownBy(lent::getSchema).isInstanceOf(SQLTimeoutException.class);
  }
}
