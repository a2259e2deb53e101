package dev.leasehold.cli.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold object} on a SQLite file, as scripts use it. */
class ObjectCommandsTest {
  @TempDir Path folder;
  final Shell shell = new Shell();

  @BeforeEach
  void nameTheStore() {
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + folder.resolve("leases.db"));
  }

  private Result put(String payload, String... more) {
    shell.input = payload.getBytes(StandardCharsets.UTF_8);
    return object(with(List.of("put", "config", "eu/web", "--json"), more));
  }

  private Result object(String... words) {
    return shell.run(with(List.of("object"), words));
  }

  private static String[] with(List<String> words, String... more) {
    return Stream.concat(words.stream(), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void what_is_put_is_got_byte_by_byte() throws IOException {
    byte[] bytes = {0, 'a', (byte) 0xff, '\r', '\n', (byte) 0xc3};
    Path file = Files.write(folder.resolve("payload"), bytes);
    Result created = object("put", "config", "web", "--file", file.toString(), "--json");
    assertThat(created.code()).as(created.err()).isZero();
    assertThat(created.out())
        .matches(
            "\\{\"type\":\"config\",\"id\":\"web\",\"outcome\":\"created\",\"version\":\\d+}\\R");
    Result got = object("get", "config", "web");
    assertThat(got.code()).isZero();
    assertThat(shell.output).isEqualTo(bytes);
    assertThat(object("get", "config", "web", "--json").out())
        .contains("\"outcome\":\"found\"", "\"version\":" + created.member("version"))
        .contains("\"payloadBase64\":\"AGH/DQrD\"", "createdAtMs", "updatedAtMs");
  }

  @Test
  void json_is_shown_as_json() {
    assertThat(put("{\"n\":1}").code()).isZero();
    assertThat(object("get", "config", "eu/web", "--json").out())
        .contains("\"payload\":{\"n\":1},");
  }

  @Test
  void writes_say_what_they_expect() {
    Result absent = put("one", "--if-version", "7");
    assertThat(absent.code()).isEqualTo(4);
    assertThat(absent.out())
        .isEqualToIgnoringNewLines(
            "{\"type\":\"config\",\"id\":\"eu/web\",\"outcome\":\"conflict\"}");
    String first = put("one", "--if-absent").member("version");
    Result again = put("two", "--if-absent");
    assertThat(again.code()).isEqualTo(4);
    assertThat(again.member("outcome")).isEqualTo("conflict");
    assertThat(again.member("version")).isEqualTo(first);
    Result replaced = put("two", "--if-version", first);
    assertThat(replaced.member("outcome")).isEqualTo("replaced");
    assertThat(object("delete", "config", "eu/web", "--if-version", first).code()).isEqualTo(4);
    Result deleted =
        object("delete", "config", "eu/web", "--if-version", replaced.member("version"), "--json");
    assertThat(deleted.member("outcome")).isEqualTo("deleted");
    Result gone = object("get", "config", "eu/web", "--json");
    assertThat(gone.code()).isEqualTo(4);
    assertThat(gone.member("outcome")).isEqualTo("absent");
    Result nothing = object("delete", "config", "eu/web", "--json");
    assertThat(nothing.code()).isZero();
    assertThat(nothing.member("outcome")).isEqualTo("absent");
    assertThat(Long.parseLong(put("three").member("version")))
        .isGreaterThan(Long.parseLong(deleted.member("version")));
  }

  @Test
  void a_request_that_is_repeated_is_told_again() {
    Result first = put("one", "--if-absent", "--request-id", "r1");
    assertThat(put("one", "--if-absent", "--request-id", "r1")).isEqualTo(first);
  }

  @Test
  void a_token_is_checked_with_the_write() {
    Result lease = shell.run("lease", "acquire", "leader/x", "--json");
    String token = lease.member("token");
    assertThat(put("one", "--key", "leader/x", "--token", token).code()).isZero();
    shell.environment.put("LEASEHOLD_INSTANCE", lease.member("instance"));
    assertThat(shell.run("lease", "release", "leader/x", "--token", token).code()).isZero();
    Result late = put("late", "--key", "leader/x", "--token", token);
    assertThat(late.code()).isEqualTo(4);
    assertThat(late.out())
        .isEqualToIgnoringNewLines(
            "{\"type\":\"config\",\"id\":\"eu/web\",\"outcome\":\"stale\",\"current\":"
                + token
                + "}");
    String invented = Long.toString(Long.parseLong(token) + 5);
    Result unissued = put("made up", "--key", "leader/x", "--token", invented);
    assertThat(unissued.code()).isEqualTo(4);
    assertThat(unissued.member("outcome")).isEqualTo("unissued");
  }

  @Test
  void a_bound_type_refuses_writes_without_its_key() {
    Result bound = object("bind", "config", "--key", "leader/x", "--by", "olga", "--json");
    assertThat(bound.out())
        .isEqualToIgnoringNewLines("{\"type\":\"config\",\"outcome\":\"bound\"}");
    Result refused = put("one");
    assertThat(refused.code()).isEqualTo(6);
    assertThat(refused.out())
        .isEqualToIgnoringNewLines(
            "{\"type\":\"config\",\"id\":\"eu/web\",\"outcome\":\"bound\",\"key\":\"leader/x\"}");
    String token = shell.run("lease", "acquire", "leader/x", "--json").member("token");
    assertThat(put("one", "--key", "leader/x", "--token", token).code()).isZero();
    assertThat(object("bindings", "config", "--json").out())
        .contains("{\"type\":\"config\",\"key\":\"leader/x\",\"by\":\"olga\",\"atMs\":");
    Result unbound = object("unbind", "config", "--json");
    assertThat(unbound.out())
        .isEqualToIgnoringNewLines(
            "{\"type\":\"config\",\"outcome\":\"unbound\",\"before\":\"leader/x\"}");
    assertThat(object("unbind", "config", "--json").member("outcome")).isEqualTo("free");
    assertThat(put("two").code()).isZero();
  }

  @Test
  void a_type_is_listed() {
    String version = put("[1]").member("version");
    assertThat(object("list", "config", "--json").out())
        .contains(
            "{\"type\":\"config\",\"id\":\"eu/web\",\"version\":" + version + ",\"payload\":[1],");
    assertThat(object("list", "config").out()).startsWith("eu/web\t" + version + "\t");
    shell.terminal = true;
    assertThat(object("list", "config").out()).contains("ID", "eu/web", version);
    assertThat(object("list", "other", "--json").out()).isEmpty();
  }

  @Test
  void what_cannot_be_right_is_said() {
    assertThat(put("one", "--if-absent", "--if-version", "3").code()).isEqualTo(2);
    Result half = put("one", "--key", "leader/x");
    assertThat(half.code()).isEqualTo(2);
    assertThat(half.err()).contains("--key and --token belong together");
    Result slash = object("list", "a/b");
    assertThat(slash.code()).isEqualTo(2);
    assertThat(slash.err()).contains("has a slash");
    Result large = put("x".repeat(Payload.MAX_BYTES + 1));
    assertThat(large.code()).isEqualTo(2);
    assertThat(large.err()).contains("too large", "1048576");
    assertThat(object("put", "config", "a", "--file", "/nowhere").code()).isEqualTo(2);
    assertThat(put("one", "--if-version", "latest").err()).contains("not a version");
  }

  @Test
  void a_store_in_memory_will_do_to_try_things_out() {
    assertThat(put("one", "--store", "memory:").member("outcome")).isEqualTo("created");
  }
}
