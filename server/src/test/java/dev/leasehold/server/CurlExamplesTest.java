package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the curl commands of {@code docs/server.md} in a shell, one after the other. */
@Timeout(60)
class CurlExamplesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "server.md");
  private static final Pattern INDENTED = Pattern.compile("(?:^    .*\n)+", Pattern.MULTILINE);

  @Test
  void theyWorkAsTyped() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
    ApiKey.Made key = ApiKey.make("reader", Set.of(Permission.READ), List.of("lock/"));
    MemoryApiKeys keys = new MemoryApiKeys();
    var unused = keys.add(key.key());
    try (Store store = MemoryStore.open();
        LeaseholdServer server = LeaseholdServer.on(store).apiKeys(keys).start()) {
      String script =
          "set -eu\n"
              + examples()
                  .replace("localhost:7420", "localhost:" + server.address().getPort())
                  .replace("curl -s ", "curl -sS --fail-with-body ");
      ProcessBuilder bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
      bash.environment().put("LEASEHOLD_API_KEY", key.text());
      Process shell = bash.start();
      String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(shell.waitFor()).as(said).isZero();
      assertThat(said)
          .contains("\"renewed\"")
          .contains("\"created\"")
          .contains("\"items\":[{\"key\":\"lock/nightly-report\"");
    }
  }

  private static String examples() throws IOException {
    return INDENTED
        .matcher(Files.readString(DOCUMENT))
        .results()
        .map(MatchResult::group)
        .filter(block -> block.contains("curl "))
        .collect(Collectors.joining("\n"));
  }
}
