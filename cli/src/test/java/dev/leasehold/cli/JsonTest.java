package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void textIsEscaped() {
    assertThat(new Json().with("a\"", "\\ \n\u007f\u00e9\ud83d\ude00").toString())
        .isEqualTo("{\"a\\\"\":\"\\\\ \\u000a\\u007f\\u00e9\\ud83d\\ude00\"}");
  }

  @Test
  void membersKeepTheirOrderAndWhatIsEmptyIsLeftOut() {
    Json json =
        new Json()
            .with("z", 9_007_199_254_740_991L)
            .with("none", OptionalLong.empty())
            .with("list", List.of(new Json(), new Json().with("a", 1)))
            .with("map", Map.of("y", "1", "x", "2"));
    assertThat(json)
        .hasToString(
            "{\"z\":9007199254740991,\"list\":[{},{\"a\":1}],\"map\":{\"x\":\"2\",\"y\":\"1\"}}");
  }
}
