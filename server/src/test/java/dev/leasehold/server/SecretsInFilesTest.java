package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.Permission;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.KeyRows;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The database and the messages of a server contain neither an instance nor an API key: the files
 * are searched for them as text and as bytes.
 */
@Timeout(120)
class SecretsInFilesTest {
  private static final List<String> TOLD =
      List.of(
          "/v1/leases",
          "/v1/leases?detail=record",
          "/v1/leases/lock/a?detail=record",
          "/v1/objects/t",
          "/v1/objects/t/a",
          "/v1/ledger",
          "/v1/audit",
          "/v1/store",
          "/metrics",
          "/readyz",
          "/");

  @TempDir private Path folder;

  @Test
  void aReaderOfTheDatabaseOrOfListingsFindsNoSecret() throws IOException {
    ApiKey.Made key = ApiKey.make("ci", Set.of(Permission.values()), List.of(""));
    List<String> answers = new ArrayList<>();
    String instance;
    try (JdbcStore store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open()) {
      new StoreApiKeys(store.part(KeyRows.class).orElseThrow())
          .add(key.key())
          .toCompletableFuture()
          .join();
      try (LeaseholdServer server = LeaseholdServer.on(store).requireKeys().start()) {
        Caller me = new Caller(server.address()).with(key.text());
        instance = me.instance.secret();
        use(me, answers);
      }
      // While the database is open, the latest pages are in the log beside the file.
      files().forEach(file -> hasNone(file, instance, key.text()));
    }
    files().forEach(file -> hasNone(file, instance, key.text()));
    assertThat(answers).allMatch(text -> !text.contains(instance) && !text.contains(key.text()));
    // A control: the search finds a text that was stored.
    assertThat(files()).anyMatch(file -> contains(file, "lock/kept"));
  }

  private static void use(Caller me, List<String> answers) {
    long token = me.acquire("lock/a").token();
    answers.add(me.acquire("lock/kept").text());
    String renewal = "{$,~leases~:[{~key~:~lock/a~,~token~:" + token + "}]}";
    answers.add(me.post("/v1/leases/renew", renewal).text());
    answers.add(me.post("/v1/fences/t/seal", "{~key~:~lock/a~,~token~:" + token + "}").text());
    answers.add(me.post("/v1/fences/t/admit", "{~key~:~lock/a~,~token~:1}").text());
    var put = BodyPublishers.ofString("1");
    answers.add(
        me.send(
                me.request("/v1/objects/t/a")
                    .header("Leasehold-Key", "lock/a")
                    .header("Leasehold-Token", Long.toString(token))
                    .PUT(put))
            .text());
    for (String path : TOLD) {
      Caller.Reply reply = me.get(path);
      assertThat(reply.status()).as(path).isEqualTo(200);
      answers.add(reply.text());
    }
    answers.add(me.release("lock/a", token).text());
    answers.add(me.post("/v1/leases/abandon", "{~key~:~lock/b~,~requestId~:~r~,$}").text());
    answers.add(me.release("lock/a", token).text());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void hasNone(Path file, String instance, String apiKey) {
    String secret = apiKey.substring(apiKey.lastIndexOf('_') + 1);
    assertThat(contains(file, instance)).as("%s has an instance", file).isFalse();
    assertThat(contains(file, HexFormat.of().parseHex(instance))).isFalse();
    assertThat(contains(file, secret)).as("%s has an API key", file).isFalse();
  }

  private static boolean contains(Path file, String text) {
    return contains(file, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean contains(Path file, byte[] bytes) {
    try {
      // Every byte is a character of this set, so that all of it can be searched as text.
      String content = Files.readString(file, StandardCharsets.ISO_8859_1);
      return content.contains(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
