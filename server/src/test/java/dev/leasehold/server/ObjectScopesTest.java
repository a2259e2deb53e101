package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.server.Caller.Reply;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permissions for the calls on objects, and what is refused. */
@Timeout(120)
class ObjectScopesTest {
  private static final String ONE = "{~verb~:~put~,~type~:~sandbox~,~id~:~eu/a~,~payloadBase64~:~";

  private final Store store = MemoryStore.open();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final LeaseholdServer server =
      LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();
  private final Caller all = caller("", Permission.READ, Permission.HOLD, Permission.OPERATE);

  private String key(String prefix, Permission... permissions) {
    ApiKey.Made made = ApiKey.make("tester", Set.of(permissions), List.of(prefix));
    var unused = keys.add(made.key());
    return made.text();
  }

  private Caller caller(String prefix, Permission... permissions) {
    return new Caller(server.address()).with(key(prefix, permissions));
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private static String batch(String... commands) {
    return "{~commands~:[" + String.join(",", commands) + "]}";
  }

  private static String put(String id, String more) {
    return ONE.replace("eu/a", id) + "AA==~" + more + "}";
  }

  private static void isRefused(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(403);
    assertThat(reply.type()).isEqualTo("application/problem+json");
  }

  @Test
  void withoutAKeyNothingIsDone() {
    Caller stranger = new Caller(server.address());
    for (String path : List.of("batch", "read", "bind", "unbind", "purge")) {
      assertThat(stranger.post("/v1/objects/" + path, "{}").status()).as(path).isEqualTo(401);
    }
    for (String path :
        List.of(
            "/v1/objects?type=sandbox",
            "/v1/objects?type=sandbox&watch=true",
            "/v1/bindings?type=sandbox")) {
      assertThat(stranger.get(path).status()).as(path).isEqualTo(401);
    }
  }

  @Test
  void whoHoldsWritesUnderItsPrefixOnlyAndReadsNothing() {
    Caller writer = caller("object/sandbox/eu/", Permission.HOLD);
    assertThat(writer.post("/v1/objects/batch", batch(put("eu/a", ""))).status()).isEqualTo(200);
    isRefused(writer.post("/v1/objects/batch", batch(put("eu/b", ""), put("us/a", ""))));
    assertThat(all.get("/v1/objects/sandbox/eu/b").status()).as("none of them").isEqualTo(404);
    // It may not write under a lease outside its prefixes either.
    long token = all.acquire("leader/a").token();
    isRefused(
        writer.post("/v1/objects/batch", batch(put("eu/a", ",~key~:~leader/a~,~token~:" + token))));
    isRefused(writer.post("/v1/objects/read", "{~objects~:[{~type~:~sandbox~,~id~:~eu/a~}]}"));
    isRefused(writer.get("/v1/objects?type=sandbox"));
    isRefused(writer.get("/v1/bindings?type=sandbox"));
    isRefused(writer.post("/v1/objects/bind", "{~type~:~sandbox~,~key~:~object/sandbox/eu/k~}"));
  }

  @Test
  void whoReadsChangesNothing() {
    Caller reader = caller("object/sandbox/", Permission.READ);
    assertThat(all.post("/v1/objects/batch", batch(put("eu/a", ""))).status()).isEqualTo(200);
    Reply read = reader.post("/v1/objects/read", "{~objects~:[{~type~:~sandbox~,~id~:~eu/a~}]}");
    assertThat(read.json().list("results", 1).getFirst().text("payloadBase64")).isEqualTo("AA==");
    assertThat(reader.get("/v1/objects?type=sandbox").json().list("items", 9)).hasSize(1);
    assertThat(reader.get("/v1/bindings?type=sandbox").status()).isEqualTo(200);
    isRefused(reader.post("/v1/objects/read", "{~objects~:[{~type~:~other~,~id~:~a~}]}"));
    isRefused(reader.get("/v1/objects?type=other"));
    isRefused(reader.get("/v1/objects?type=other&watch=true"));
    isRefused(reader.get("/v1/bindings?type=other"));
    isRefused(reader.post("/v1/objects/batch", batch(put("eu/a", ""))));
    Caller part = caller("object/sandbox/eu/", Permission.READ);
    isRefused(part.get("/v1/objects?type=sandbox"));
    isRefused(part.get("/v1/objects?type=sandbox&watch=true"));
  }

  @Test
  void whoOperatesBindsWhatIsItsBusinessToAKeyThatIsToo() {
    Caller operator = caller("object/sandbox/", Permission.OPERATE);
    isRefused(operator.post("/v1/objects/bind", "{~type~:~sandbox~,~key~:~leader/x~}"));
    isRefused(operator.post("/v1/objects/bind", "{~type~:~other~,~key~:~object/sandbox/k~}"));
    isRefused(operator.post("/v1/objects/unbind", "{~type~:~other~}"));
    isRefused(operator.post("/v1/objects/purge", "{~deadForMs~:0}"));
    Reply bound =
        operator.post(
            "/v1/objects/bind", "{~type~:~sandbox~,~key~:~object/sandbox/k~,~by~:~olga~}");
    assertThat(bound.outcome()).isEqualTo("bound");
    assertThat(all.get("/v1/bindings?type=sandbox").json().list("items", 9).getFirst().text("by"))
        .isEqualTo("olga (API key tester)");
    Reply refused = all.post("/v1/objects/batch", batch(put("eu/a", "")));
    assertThat(refused.json().list("results", 1).getFirst().text("outcome")).isEqualTo("bound");
    assertThat(operator.post("/v1/objects/unbind", "{~type~:~sandbox~}").outcome())
        .isEqualTo("unbound");
    isRefused(operator.post("/v1/objects/batch", batch(put("eu/a", ""))));
  }

  /**
   * Through the client: the forbidden command alone is rejected, and the others are sent without
   * it.
   */
  @Test
  void oneThatIsNotAllowedDoesNotSpoilItsNeighbours() {
    String mine = key("object/sandbox/eu/", Permission.READ, Permission.HOLD);
    try (RemoteStore client = RemoteStore.at(server.address().toString()).apiKey(mine).open()) {
      List<ObjectOutcome> outcomes =
          client
              .objects()
              .apply(List.of(putting("eu/a"), putting("us/a"), putting("eu/b")))
              .toCompletableFuture()
              .join();
      assertThat(outcomes.get(0)).isInstanceOf(ObjectOutcome.Created.class);
      assertThat(outcomes.get(1))
          .isInstanceOfSatisfying(
              ObjectOutcome.Rejected.class,
              rejected -> assertThat(rejected.why()).contains("403", "other prefixes"));
      assertThat(outcomes.get(2)).isInstanceOf(ObjectOutcome.Created.class);
    }
  }

  private static ObjectCommand putting(String id) {
    return new ObjectCommand.Put(
        ObjectName.of("sandbox", id),
        Payload.EMPTY,
        Expectation.ANYTHING,
        Optional.empty(),
        RequestId.random());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{~commands~:[7]}",
        "{~commands~:[{~verb~:~put~,~type~:~sandbox~,~id~:~a~}]}",
        "{~commands~:[{~verb~:~take~,~type~:~sandbox~,~id~:~a~}]}",
        "{~commands~:[{~verb~:~delete~,~type~:~sandbox~,~id~:~a~,~ifAbsent~:true}]}",
        "{~commands~:[{~verb~:~delete~,~type~:~sandbox~,~id~:~a~,~ifAbsent~:true,~ifVersion~:7}]}",
        "{~commands~:[{~verb~:~delete~,~type~:~sandbox~,~id~:~a~,~key~:~leader/a~}]}",
        "{~commands~:[{~verb~:~delete~,~type~:~sandbox~,~id~:~a~,~more~:1}]}",
        "{~commands~:[{~verb~:~delete~,~type~:~sand/box~,~id~:~a~}]}",
        "{~commands~:[{~verb~:~put~,~type~:~s~,~id~:~a~,~payloadBase64~:~no base 64~}]}"
      })
  void malformedInputIsNamed(String body) {
    Reply reply = all.post("/v1/objects/batch", body);
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.text()).doesNotContain("Exception");
  }

  @Test
  void whatIsAskedForWronglyIsNamed() {
    assertThat(all.get("/v1/objects").json().text("detail")).isEqualTo("type: is missing");
    assertThat(all.get("/v1/objects?type=a/b").status()).isEqualTo(400);
    assertThat(all.get("/v1/objects?type=a&watch=yes").status()).isEqualTo(400);
    assertThat(all.get("/v1/objects?type=a&limit=0").status()).isEqualTo(400);
    assertThat(all.get("/v1/bindings").status()).isEqualTo(400);
    assertThat(all.post("/v1/objects/bind", "{~type~:~a~}").status()).isEqualTo(400);
    String large = "A".repeat(Payload.MAX_BYTES / 3 * 4 + 8);
    assertThat(all.post("/v1/objects/batch", batch(ONE + large + "~}")).status()).isEqualTo(400);
  }
}
