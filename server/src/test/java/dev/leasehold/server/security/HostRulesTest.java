package dev.leasehold.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which host names and origins a request may have. */
class HostRulesTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.2, 127.0.0.2:7420, true",
    "127.0.0.2, localhost, true",
    "127.0.0.2, 127.0.0.3:7420, false",
    "2001:db8::7, [2001:db8::7]:7420, true",
    "2001:DB8::7, [2001:db8::7], true",
    "[2001:db8::7], [2001:db8::7], true",
    "2001:db8::7, [2001:db8::8]:7420, false",
    "Leases.Example, leases.example:7420, true"
  })
  void theAddressThatIsListenedOnIsOne(String listened, String host, boolean taken) {
    HostRules rules = HostRules.loopback().and(List.of(listened));
    assertThat(rules.objection(Optional.of(host), Optional.empty()).isEmpty()).isEqualTo(taken);
  }
}
