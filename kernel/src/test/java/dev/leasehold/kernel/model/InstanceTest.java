package dev.leasehold.kernel.model;

import static dev.leasehold.kernel.Actor.ANNA;
import static dev.leasehold.kernel.Actor.BEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceTest {
  private static final String SECRET = "00112233445566778899aabbccddeeff";

  @Test
  void theIdIsTheSha256OfTheSecretAsItIsWritten() {
    assertThat(Instance.of(SECRET).id().text())
        .isEqualTo("5947d7c33d783f94b3b4c1a96ebc8991ed28f1b069b71e03376cba8caa98a720");
  }

  @Test
  void theSecretIsGivenToACallerThatAsksForItByName() {
    assertThat(Instance.of(SECRET).secret()).isEqualTo(SECRET);
  }

  @Test
  void printingAnInstanceNeverShowsTheSecret() {
    Instance instance = Instance.of(SECRET);

    assertThat(instance.toString()).doesNotContain(SECRET).contains(instance.id().text());
  }

  @Test
  void printingACommandNeverShowsTheSecret() {
    Token token = Token.of(1, 1);
    List<Command> commands =
        List.of(
            ANNA.acquire("r1"),
            ANNA.abandon("r1"),
            ANNA.renew(token),
            ANNA.release(token, "r2"),
            ANNA.hands(token, "r3").to(BEN));

    assertThat(commands)
        .allSatisfy(
            command ->
                assertThat(command.toString())
                    .contains(ANNA.id().text())
                    .doesNotContain(ANNA.instance().secret()));
  }

  @Test
  void instancesAreTheSameIfTheirSecretIs() {
    Instance instance = Instance.of(SECRET);

    assertThat(instance).isEqualTo(Instance.of(SECRET)).hasSameHashCodeAs(Instance.of(SECRET));
    assertThat(instance).isNotEqualTo(ANNA.instance()).doesNotHaveSameHashCodeAs(ANNA.instance());
    assertThat(instance).isNotEqualTo(SECRET);
  }

  @Test
  void everyProcessIsAnotherInstance() {
    assertThat(Instance.random()).isNotEqualTo(Instance.random());
    assertThat(Instance.random().secret()).matches("[0-9a-f]{32}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00112233445566778899aabbccddeef",
        "00112233445566778899aabbccddeeff0",
        "00112233445566778899AABBCCDDEEFF",
        "00112233445566778899aabbccddeefg",
        "00112233445566778899aabbccddeef`",
        "00112233445566778899aabbccddeef:",
        "00112233445566778899aabbccddeef/"
      })
  void whatIsNot128BitsInHexIsRefusedWithoutRepeatingIt(String secret) {
    assertThatThrownBy(() -> Instance.of(secret))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("an instance is written as 32 lower-case hex digits");
  }

  @Test
  void anIdIsASha256InHex() {
    String text = "0123456789abcdef".repeat(4);

    assertThat(new InstanceId(text)).hasToString(text);
    assertThatThrownBy(() -> new InstanceId(text.substring(1)))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("64 lower-case hex digits");
    assertThatThrownBy(() -> new InstanceId(text.toUpperCase(Locale.ROOT)))
        .isInstanceOf(IllFormedException.class);
  }
}
