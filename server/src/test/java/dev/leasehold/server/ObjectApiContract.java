package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectScope;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.server.Caller.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /v1/objects}, on any store. */
@Timeout(120)
abstract class ObjectApiContract {
  private static final String A = "/v1/objects/sandbox/eu/a";

  private LeaseholdServer server;
  private Caller me;

  abstract LeaseholdServer start();

  abstract ObjectStore objects();

  @BeforeEach
  void call() {
    server = start();
    me = new Caller(server.address());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  private Reply delete(String path, String... headers) {
    return send("DELETE", path, "", headers);
  }

  private Reply send(String method, String path, String body, String... headers) {
    var request = me.request(path).method(method, BodyPublishers.ofString(me.filled(body)));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return me.send(request);
  }

  private static String tag(Reply reply) {
    return reply.whole().headers().firstValue("ETag").orElseThrow();
  }

  private static long version(Reply reply) {
    return Long.parseLong(tag(reply).replace("\"", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{~a~: [1, 2.5e3, null]}", "7", "~text~", "null", "[]", "{~a~:1,~a~:2}", " {} "})
  void whatIsPutIsGotByteForByte(String body) {
    Reply put = put(A, body);
    assertThat(put.status()).isEqualTo(201);
    Reply got = me.get(A);
    assertThat(got.status()).isEqualTo(200);
    assertThat(got.type()).isEqualTo("application/json");
    assertThat(got.text()).isEqualTo(me.filled(body));
    assertThat(tag(got)).isEqualTo(tag(put));
  }

  @Test
  void versionsGrowThroughDeletions() {
    Reply created = put(A, "1");
    Reply replaced = put(A, "2");
    assertThat(replaced.status()).isEqualTo(200);
    Reply deleted = delete(A);
    assertThat(deleted.status()).isEqualTo(200);
    Reply again = put(A, "3");
    assertThat(again.status()).isEqualTo(201);
    assertThat(List.of(version(created), version(replaced), version(deleted), version(again)))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(again.json().number("version")).isEqualTo(version(again));
  }

  @Test
  void whatIsNotThereIsNotFound() {
    assertThat(me.get(A).status()).isEqualTo(404);
    assertThat(delete(A).status()).isEqualTo(404);
    assertThat(me.get("/v1/objects/sandbox").text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void aCreationFindsNothingThere() {
    assertThat(put(A, "1", "If-None-Match", "*").status()).isEqualTo(201);
    Reply second = put(A, "2", "If-None-Match", "*");
    assertThat(second.status()).isEqualTo(412);
    assertThat(second.type()).isEqualTo("application/problem+json");
    assertThat(me.get(A).text()).isEqualTo("1");
  }

  @Test
  void aVersionIsComparedWithTheWrite() {
    String first = tag(put(A, "1"));
    Reply second = put(A, "2", "If-Match", first);
    assertThat(second.status()).isEqualTo(200);
    Reply late = put(A, "3", "If-Match", first);
    assertThat(late.status()).isEqualTo(412);
    assertThat(late.json().number("version")).isEqualTo(version(second));
    assertThat(delete(A, "If-Match", first).status()).isEqualTo(412);
    assertThat(me.get(A).text()).isEqualTo("2");
    assertThat(delete(A, "If-Match", tag(second)).status()).isEqualTo(200);
    assertThat(put(A, "4", "If-Match", tag(second)).status()).isEqualTo(412);
    assertThat(delete(A, "If-Match", tag(second)).status()).isEqualTo(412);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"0\"", "\"999\"", "\"x\"", "\"\"", "\"99999999999999999999\""})
  void aTagThatTheServerNeverGaveMatchesNothing(String tag) {
    put(A, "1");
    assertThat(put(A, "2", "If-Match", tag).status()).isEqualTo(412);
    assertThat(put(A + "/none", "2", "If-Match", tag).status()).isEqualTo(412);
  }

  @Test
  void conditionsThatMeanNothingHereAreRefused() {
    assertThat(put(A, "1", "If-Match", "7").status()).isEqualTo(400);
    assertThat(put(A, "1", "If-Match", "*").status()).isEqualTo(400);
    assertThat(put(A, "1", "If-None-Match", "\"7\"").status()).isEqualTo(400);
    assertThat(put(A, "1", "If-None-Match", "*", "If-Match", "\"7\"").status()).isEqualTo(400);
    assertThat(delete(A, "If-None-Match", "*").status()).isEqualTo(400);
    assertThat(me.get(A).status()).isEqualTo(404);
  }

  @Test
  void aReaderThatHasItIsToldSo() {
    String tag = tag(put(A, "1"));
    Reply reply = me.send(me.request(A).header("If-None-Match", tag).GET());
    assertThat(reply.status()).isEqualTo(304);
    assertThat(reply.text()).isEmpty();
    put(A, "2");
    assertThat(me.send(me.request(A).header("If-None-Match", tag).GET()).text()).isEqualTo("2");
  }

  @Test
  void aTokenIsCheckedWithTheWrite() {
    long token = me.acquire("leader/sandboxes").token();
    String[] fence = {"Leasehold-Key", "leader/sandboxes", "Leasehold-Token", "" + token};
    assertThat(put(A, "1", fence).status()).isEqualTo(201);
    me.release("leader/sandboxes", token);
    long next = me.acquire("leader/sandboxes").token();
    for (Reply refused : List.of(put(A, "2", fence), delete(A, fence))) {
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.outcome()).isEqualTo("stale");
      assertThat(refused.json().number("current")).isEqualTo(next);
    }
    assertThat(me.get(A).text()).isEqualTo("1");
    assertThat(put(A, "3", "Leasehold-Key", "leader/sandboxes").status()).isEqualTo(400);
    assertThat(put(A, "3", "Leasehold-Token", "" + next).status()).isEqualTo(400);
  }

  @Test
  void theInstanceIsComparedTooWhereTheCallerNamesIt() {
    long token = me.acquire("leader/sandboxes").token();
    String[] others = {
      "Leasehold-Key",
      "leader/sandboxes",
      "Leasehold-Token",
      "" + token,
      "Leasehold-Instance-Id",
      "ab".repeat(32)
    };
    Reply refused = put(A, "1", others);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.outcome()).isEqualTo("unissued");
    assertThat(put(A, "1", "Leasehold-Instance-Id", "ab".repeat(32)).status()).isEqualTo(400);
  }

  @Test
  void whatIsBoundIsWrittenUnderItsKeyOnly() {
    VersionedObjects.on(objects())
        .bind(ObjectScope.all("sandbox"), LeaseKey.of("leader", "sandboxes"), new Operator("olga"));
    Reply bare = put(A, "1");
    assertThat(bare.status()).isEqualTo(409);
    assertThat(bare.outcome()).isEqualTo("bound");
    assertThat(bare.json().text("key")).isEqualTo("leader/sandboxes");
    long other = me.acquire("leader/other").token();
    assertThat(put(A, "1", "Leasehold-Key", "leader/other", "Leasehold-Token", "" + other).status())
        .isEqualTo(409);
    long token = me.acquire("leader/sandboxes").token();
    String[] fence = {"Leasehold-Key", "leader/sandboxes", "Leasehold-Token", "" + token};
    assertThat(put(A, "1", fence).status()).isEqualTo(201);
    assertThat(delete(A).status()).isEqualTo(409);
    assertThat(delete(A, fence).status()).isEqualTo(200);
  }

  @Test
  void aRepeatIsToldWhatTheFirstDid() {
    String[] once = {"Leasehold-Request-Id", "r1", "If-None-Match", "*"};
    Reply first = put(A, "1", once);
    Reply repeat = put(A, "1", once);
    assertThat(repeat.status()).isEqualTo(201);
    assertThat(tag(repeat)).isEqualTo(tag(first));
  }

  @Test
  void objectsAreListedByPages() {
    for (String id : List.of("a", "b", "c/d")) {
      put("/v1/objects/sandbox/" + id, "{~of~:~" + id + "~}");
    }
    VersionedObjects.on(objects()).put(ObjectName.of("sandbox", "d"), Payload.ofText("no json"));
    Reply page = me.get("/v1/objects/sandbox?limit=2");
    assertThat(page.json().list("items", 10)).hasSize(2);
    assertThat(page.json().list("items", 10).get(1).object("payload").text("of")).isEqualTo("b");
    Reply rest = me.get("/v1/objects/sandbox?limit=2&after=" + page.json().text("next"));
    assertThat(rest.json().list("items", 10).getFirst().text("id")).isEqualTo("c/d");
    assertThat(rest.json().list("items", 10).getLast().text("payloadBase64"))
        .isEqualTo("bm8ganNvbg==");
    assertThat(rest.json().has("next")).isFalse();
    assertThat(me.get("/v1/objects/sandbox/d").type()).isEqualTo("application/octet-stream");
    assertThat(me.get("/v1/objects/sandbox?limit=1001").status()).isEqualTo(400);
    assertThat(me.get("/v1/objects/sandbox?limit=0").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "nonsense", "{} {}", "[1,]", "\u0000"})
  void whatIsNoJsonIsRefused(String body) {
    assertThat(put(A, body).status()).isEqualTo(400);
    assertThat(me.get(A).status()).isEqualTo(404);
  }

  @Test
  void whatIsTooLargeIsRefusedWithTheBound() {
    String quoted = "~" + "x".repeat(Payload.MAX_BYTES - 2) + "~";
    assertThat(put(A, quoted).status()).isEqualTo(201);
    assertThat(me.get(A).text()).hasSize(Payload.MAX_BYTES);
    Reply large = put(A, quoted + " ");
    assertThat(large.status()).isEqualTo(413);
    assertThat(large.json().text("detail")).contains("an object has at most 1048576 bytes");
    Reply larger = put(A, "~" + "x".repeat(2 << 20) + "~");
    assertThat(larger.status()).isEqualTo(413);
    assertThat(larger.json().text("detail")).contains("at most 2097152 bytes");
  }

  @Test
  void anotherTypeOfContentIsRefused() {
    var request = me.request(A).setHeader("Content-Type", "text/plain");
    assertThat(me.send(request.PUT(BodyPublishers.ofString("1"))).status()).isEqualTo(415);
  }
}
