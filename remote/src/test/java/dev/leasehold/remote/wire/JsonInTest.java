package dev.leasehold.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.kernel.spi.Command;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endless bodies: a fault is reported where the reader meets it. */
@Timeout(60)
class JsonInTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("InputStreamSlowMultibyteRead") // the test needs a byte at a time
  private static InputStream endless(String beginning, String filling) {
    return new InputStream() {
      private final byte[] first = beginning.getBytes(StandardCharsets.UTF_8);
      private final byte[] again = filling.getBytes(StandardCharsets.UTF_8);
      private int place;

      @Override
      public int read() {
        int at = place++;
        return at < first.length ? first[at] : again[(at - first.length) % again.length];
      }

      @Override
      public int read(byte[] buffer, int offset, int length) {
        buffer[offset] = (byte) read();
        return 1;
      }
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[ | [ | the body must be a JSON object",
        "{ | {}, | the body is not well-formed JSON",
        "{~items~:[]} | {}, | the body has something after its JSON object",
        "{~items~:[{},{},7 | , | items[2]: must be an object",
        "{~items~:[{} | ,{} | items: at most 3 items are allowed",
        "{~items~:[{~x~:[{} | ,{} | x: too many members and items for one object",
        "{~x~:[{} | ,{} | x: too many members and items for one object",
        "{~items~:[{~x~: | [ | the body goes beyond a bound",
        "{~items~:[{~x~: | 1 | the body goes beyond a bound",
        "{~items~:[{~x~:~ | a | the body goes beyond a bound",
        "{~items~:[{~ | a | the body goes beyond a bound",
        "{~items~:{ | ~a~:1, | items: must be an array",
      })
  void theFirstThingThatIsWrongEndsIt(String beginning, String filling, String why) {
    JsonIn in =
        new JsonIn(endless(beginning.replace('~', '"'), filling.replace('~', '"')), () -> {});
    assertThatThrownBy(() -> in.batch("items", 3, item -> item))
        .isInstanceOf(BadJsonException.class)
        .hasMessageStartingWith(why);
  }

  @Test
  void anItemThatTheReaderRefusesEndsIt() {
    JsonIn in = new JsonIn(endless("{\"items\":[{}", ",{}"), () -> {});
    assertThatThrownBy(() -> in.batch("items", 100, JsonInTest::refuse))
        .isInstanceOf(BadJsonException.class)
        .hasMessage("items[0].x: is missing");
  }

  private static String refuse(Members item) {
    return item.text("x");
  }

  @Test
  void eachItemIsDigestedBeforeTheNextIsRead() {
    AtomicInteger digested = new AtomicInteger();
    JsonIn in = new JsonIn(bytes("{\"items\":[{},{},{}]}"), digested::incrementAndGet);
    assertThat(in.batch("items", 3, item -> digested.get()).items()).containsExactly(0, 1, 2);
    assertThat(digested).hasValue(3);
  }

  @Test
  void theOrderOfMembersDoesNotMatter() {
    String leases = "\"leases\":[{\"key\":\"lock/a\",\"token\":1,\"progress\":2}]";
    String instance = "\"instance\":\"" + SECRET + "\"";
    List<Command> after = renewals("{" + leases + "," + instance + "}");
    assertThat(after).hasSize(1).isEqualTo(renewals("{" + instance + "," + leases + "}"));
  }

  private static List<Command> renewals(String text) {
    return Commands.readRenewals(
        JsonIn.of(text.getBytes(StandardCharsets.UTF_8)), (verb, key) -> {});
  }

  @Test
  void aBatchThatIsNullOrNotThereIsMissing() {
    for (String text : List.of("{}", "{\"items\":null}")) {
      JsonIn in = new JsonIn(bytes(text), () -> {});
      assertThatThrownBy(() -> in.batch("items", 3, item -> item)).hasMessage("items: is missing");
    }
  }
}
