package dev.leasehold.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.remote.api.LeaseVerb;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are refused; each refusal names the member and repeats no secret. */
class StrictnessTest {
  private static final String SECRET = Instance.random().secret();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "1",
        "{",
        "{}{}",
        "{\"key\":\"lock/a\",\"key\":\"lock/b\"}",
        "{\"ttlMs\":1.5}",
        "{\"ttlMs\":1e3}",
        "{\"ttlMs\":99999999999999999999}",
        "{\"ttlMs\":999999999999999999999999999999999999999999999999999999999999999999}",
        "{\"list\":[null]}",
        "{\"a\":NaN}",
        "{'a':1}",
        "{\"a\":1,}"
      })
  void isNoObjectOfOurs(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(BadJsonException.class);
  }

  @Test
  void depthIsBounded() {
    String deep = "{\"a\":".repeat(100_000);
    assertThatThrownBy(() -> read(deep))
        .isInstanceOf(BadJsonException.class)
        .hasMessageContaining("depth 16");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "~key~:~lock/a~|holder: is missing",
        "~key~:~nothing~,~holder~:~h~|key: key 'nothing' is not of the form kind/name",
        "~key~:~lock/a~,~holder~:7|holder: must be a string",
        "~key~:~lock/a~,~holder~:~h~,~ttlMs~:~1~|ttlMs: must be an integer",
        "~key~:~lock/a~,~holder~:~h~,~ttlMs~:1,~waitMs~:60001|waitMs: must be from 0 to 60000",
        "~key~:~lock/a~,~holder~:~h~,~ttlMs~:1,~waitMS~:1|waitMS: no such member is known here",
        "~key~:~lock/a~,~holder~:~h~,~ttlMs~:1,~stallMs~:-1|stallMs: stall limit of -1 ms",
        "~key~:~lock/a~,~holder~:~h~,~ttlMs~:1,~expect~:{~token~:0}|expect.instanceId: is missing",
      })
  void theRefusalNamesTheMember(String members, String message) {
    String text = ("{" + members + ",~instance~:~" + SECRET + "~}").replace('~', '"');
    assertThatThrownBy(() -> Commands.readWaiting(read(text)))
        .isInstanceOf(BadJsonException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void aRefusalInAListNamesItsPlace() {
    String text =
        "{\"instance\":\""
            + SECRET
            + "\",\"leases\":[{\"key\":\"lock/a\",\"token\":1},{\"key\":\"lock/b\",\"token\":0}]}";
    assertThatThrownBy(() -> Commands.readRenewals(in(text), (verb, key) -> {}))
        .hasMessageStartingWith("leases[1].token: token 0 is out of range");
  }

  @Test
  void aVerbOfStoresIsNotTaken() {
    String text = "{\"commands\":[{\"verb\":\"endstalled\",\"key\":\"lock/a\",\"token\":1}]}";
    assertThatThrownBy(
            () -> Commands.readBatch(in(text), by -> new Operator("op"), (verb, key) -> {}))
        .hasMessage("commands[0].verb: no such verb is known");
  }

  @Test
  void anInstanceThatIsNoneIsNotRepeated() {
    String text = "{\"key\":\"lock/a\",\"requestId\":\"r\",\"instance\":\"" + SECRET + "0\"}";
    assertThatThrownBy(() -> Commands.read(LeaseVerb.ABANDON, read(text), by -> new Operator("op")))
        .hasMessageContaining("instance: an instance is written as 32 lower-case hex digits")
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void nullIsAbsent() {
    assertThat(read("{\"a\":null}").has("a")).isFalse();
  }

  @Test
  void answersMayHaveMoreThanIsKnown() {
    assertThat(Outcomes.read(read("{\"outcome\":\"released\",\"new\":1}")))
        .isEqualTo(new dev.leasehold.kernel.spi.Outcome.Released());
  }

  private static JsonIn in(String text) {
    return JsonIn.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Members read(String text) {
    return Json.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
