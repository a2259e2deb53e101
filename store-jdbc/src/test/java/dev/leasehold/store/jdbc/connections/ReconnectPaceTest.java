package dev.leasehold.store.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReconnectPaceTest {
  private final ReconnectPace pace = new ReconnectPace();

  private static SQLException unable(IOException cause) {
    return new SQLException("no connection", "08001", cause);
  }

  static Stream<SQLException> no_server_there() {
    return Stream.of(
        unable(new ConnectException("refused")),
        unable(new SocketException("reset")),
        unable(new EOFException()),
        new SQLException("starting up", "57P03"));
  }

  @ParameterizedTest
  @MethodSource("no_server_there")
  void a_server_that_is_not_there_is_looked_for_all_the_time(SQLException failure) {
    for (int i = 0; i < 20; i++) {
      assertThat(pace.pauseMillis(failure)).isEqualTo(ReconnectPace.AWAY_MILLIS);
    }
  }

  /** Too many connections, a rejected one, a server that is being shut down. */
  @ParameterizedTest
  @ValueSource(strings = {"53300", "08004", "08001", "57P01"})
  void one_that_turns_us_away_is_asked_less_and_less_often(String state) {
    SQLException failure = new SQLException("no", state);
    for (long bound : new long[] {400, 800, 1_600, 3_200, 5_000, 5_000}) {
      assertThat(pace.pauseMillis(failure)).isBetween(bound / 2, bound);
    }
    pace.found();
    assertThat(pace.pauseMillis(failure)).isBetween(200L, 400L);
  }

  @Test
  void a_host_name_that_is_not_known_is_asked_for_less_and_less_often() {
    SQLException failure = unable(new UnknownHostException("nowhere"));
    assertThat(pace.pauseMillis(failure)).isBetween(200L, 400L);
    assertThat(pace.pauseMillis(failure)).isBetween(400L, 800L);
  }
}
