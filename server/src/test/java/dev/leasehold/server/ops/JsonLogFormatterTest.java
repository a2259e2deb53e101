package dev.leasehold.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log record is one line of JSON, even if a caller has put hostile text into it. */
@Timeout(60)
class JsonLogFormatterTest {
  private final JsonLogFormatter formatter = new JsonLogFormatter();

  private Members read(LogRecord record) {
    String line = formatter.format(record);
    assertThat(line).endsWith("\n");
    assertThat(line.strip()).doesNotContain("\n").doesNotContain("\r");
    return Json.read(line.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "\"quoted\", and a \\",
        "two\nlines\r\n",
        "\u0000\u001b[31m\u007f\u0085",
        "\u2028\u2029\ufeff",
        "{\"level\":\"SEVERE\"}",
        "{0} {1} {",
        "'{0}'",
        "\ud83d\ude00"
      })
  void anyMessageIsKeptAsItIs(String message) {
    LogRecord record = new LogRecord(Level.INFO, message);
    assertThat(read(record).text("message")).isEqualTo(message);
  }

  @Test
  void andSoIsHalfACharacter() {
    for (String half : new String[] {"a\ud83d", "\ude00b", "\ud83dc"}) {
      assertThat(read(new LogRecord(Level.INFO, half)).text("message")).isEqualTo(half);
    }
  }

  @Test
  void parametersAreNoJsonEither() {
    LogRecord record = new LogRecord(Level.WARNING, "failed: {0}");
    record.setParameters(new Object[] {"\"}\n{\"level\":\"INFO"});
    record.setLoggerName("a\"b");
    Members members = read(record);
    assertThat(members.text("message")).isEqualTo("failed: \"}\n{\"level\":\"INFO");
    assertThat(members.text("logger")).isEqualTo("a\"b");
    assertThat(members.text("level")).isEqualTo("WARNING");
  }

  @Test
  void causesAreNamedAndACircleOfThemEnds() {
    IllegalStateException outer = new IllegalStateException("outer \"one\"");
    IllegalArgumentException inner = new IllegalArgumentException("inner\n", outer);
    outer.initCause(inner);
    LogRecord record = new LogRecord(Level.SEVERE, "broken");
    record.setThrown(outer);
    assertThat(read(record).text("thrown"))
        .contains("outer \"one\"")
        .contains("; caused by java.lang.IllegalArgumentException: inner\n");
  }
}
