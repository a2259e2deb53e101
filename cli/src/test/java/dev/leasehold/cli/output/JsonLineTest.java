package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonLineTest {
  @Test
  void textIsEscaped() {
    assertThat(JsonLine.of(out -> out.text("a\"", "\\ \u007f\u00e9\ud83d\ude00")))
        .isEqualTo("{\"a\\\"\":\"\\\\ \\u007f\\u00e9\\ud83d\\ude00\"}");
  }

  @Test
  void whatIsPutAsSeveralLinesIsPrintedOnOne() {
    byte[] payload = "{\n\t\"a\": \"\u00e9\\n\"\r\n}".getBytes(StandardCharsets.UTF_8);
    assertThat(JsonLine.of(out -> out.json("payload", payload)))
        .isEqualTo("{\"payload\":{  \"a\": \"\\u00e9\\n\"  }}");
  }

  @Test
  void theSameAttributesAreAlwaysTheSameText() {
    assertThat(JsonLine.of(out -> out.texts("map", Map.of("y", "1", "x", "2", "z", "3"))))
        .isEqualTo("{\"map\":{\"x\":\"2\",\"y\":\"1\",\"z\":\"3\"}}");
  }
}
