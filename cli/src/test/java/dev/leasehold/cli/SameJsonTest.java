package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command prints with {@code --json} what a server answers for the same thing. */
class SameJsonTest {
  private static final String INSTANCE = "ab".repeat(16);

  @TempDir private Path folder;
  private final Shell shell = new Shell();
  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private JdbcStore store;

  @SuppressWarnings("NullAway.Init")
  private LeaseholdServer server;

  @BeforeEach
  void open() {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
    server = LeaseholdServer.on(store).start();
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + folder.resolve("leases.db"));
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    store.close();
  }

  private String printed(String... words) {
    Result result = shell.run(words);
    assertThat(result.out()).as(result.err()).endsWith(System.lineSeparator());
    return timeless(result.out().strip());
  }

  private String got(String path) throws Exception {
    return sent(HttpRequest.newBuilder(server.address().resolve(path)));
  }

  /** The server's answer to a batch of one command. */
  private String batched(String path, String command) throws Exception {
    URI address = server.address().resolve(path);
    String answer =
        sent(
            HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"commands\":[" + command + "]}")));
    return between("{\"results\":[", answer, "]}");
  }

  private String sent(HttpRequest.Builder request) throws Exception {
    return timeless(client.send(request.build(), BodyHandlers.ofString()).body());
  }

  private static String between(String before, String text, String after) {
    assertThat(text).startsWith(before).endsWith(after);
    return text.substring(before.length(), text.length() - after.length());
  }

  /** Removes times, because the two are asked one after the other. */
  private static String timeless(String json) {
    return json.replaceAll("\"(remainingMs|atMs|updatedAtMs|createdAtMs)\":\\d+", "\"$1\":0");
  }

  private String acquire(String name, String... more) {
    String[] words = {"lease", "acquire", name, "--holder=ann", "--instance=" + INSTANCE, "--json"};
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return shell.run(all).member("token");
  }

  @Test
  void aLeaseOnRecord() throws Exception {
    acquire("lock/a", "--attribute=z=1", "--attribute=a=2", "--purpose=tests");
    String lease = got("/v1/leases/lock/a");
    assertThat(printed("lease", "show", "lock/a", "--json"))
        .isEqualTo(lease.substring(0, lease.length() - 1) + ",\"history\":[]}");
    assertThat(printed("lease", "list", "--prefix", "lock/", "--json")).isEqualTo(lease);
  }

  @Test
  void whatBecomesOfCommands() throws Exception {
    String token = acquire("lock/a");
    String other = "cd".repeat(16);
    String lost =
        batched(
            "/v1/leases/batch",
            "{\"verb\":\"renew\",\"key\":\"lock/a\",\"token\":%s,\"instance\":\"%s\"}"
                .formatted(token, other));
    assertThat(lost).contains("\"outcome\":\"lost\"");
    assertThat(
            printed(
                "lease", "renew", "lock/a", "--token=" + token, "--instance=" + other, "--json"))
        .isEqualTo(lost);
    String held =
        batched(
            "/v1/leases/batch",
            """
            {"verb":"acquire","key":"lock/a","holder":"ben","ttlMs":5000,"instance":"%s"}\
            """
                .formatted(other));
    assertThat(printed("lease", "acquire", "lock/a", "--instance=" + other, "--json"))
        .isEqualTo(held);
  }

  @Test
  void objects() throws Exception {
    shell.input = "{ \"a\":\n\"\u00e9\" }".getBytes(StandardCharsets.UTF_8);
    printed("object", "put", "config", "web", "--json");
    String page = got("/v1/objects/config").replace('\n', ' ').replace("\u00e9", "\\u00e9");
    String object = between("{\"items\":[", page, "]}");
    assertThat(printed("object", "list", "config", "--json")).isEqualTo(object);
    assertThat(printed("object", "get", "config", "web", "--json"))
        .isEqualTo("{\"outcome\":\"found\"," + object.substring(1));
    String conflict =
        batched(
            "/v1/objects/batch",
            "{\"verb\":\"delete\",\"type\":\"config\",\"id\":\"web\",\"ifVersion\":7}");
    assertThat(printed("object", "delete", "config", "web", "--if-version=7", "--json"))
        .isEqualTo(conflict);
  }

  @Test
  void theAuditAndTheDoctor() throws Exception {
    assertThat(printed("audit", "--json")).isEqualTo(got("/v1/audit"));
    assertThat(printed("doctor", "--server", server.address().toString(), "--json"))
        .contains("\"outcome\":", "\"checks\":[{\"check\":");
  }
}
