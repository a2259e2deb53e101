package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each faulty request gets the right status and does the server no harm. */
@Timeout(120)
class WrongThingsTest {
  private final Store store = MemoryStore.open();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final LeaseholdServer server =
      LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();
  private final Caller holder = caller("lock/", Permission.HOLD);
  private final String allKey = key("", Permission.READ, Permission.HOLD, Permission.OPERATE);
  private final Caller all = new Caller(server.address()).with(allKey);

  private Caller caller(String prefix, Permission... permissions) {
    return new Caller(server.address()).with(key(prefix, permissions));
  }

  private String key(String prefix, Permission... permissions) {
    ApiKey.Made made = ApiKey.make("tester", Set.of(permissions), List.of(prefix));
    var unused = keys.add(made.key());
    return made.text();
  }

  @AfterEach
  void isUnharmed() {
    assertThat(all.acquire("lock/after").outcome()).isEqualTo("granted");
    server.close();
    store.close();
  }

  private static void isProblem(Caller.Reply reply, int status) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.type()).isEqualTo("application/problem+json");
    assertThat(reply.json().number("status")).isEqualTo(status);
    assertThat(reply.json().text("title")).isNotEmpty();
    assertThat(reply.json().text("detail")).isNotEmpty();
    assertThat(reply.text()).doesNotContain("Exception").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/leases", "/v1/leases/watch", "/v1/audit", "/metrics", "/v1/store"})
  void withoutAKeyNothingIsTold(String path) {
    isProblem(new Caller(server.address()).get(path), 401);
  }

  @Test
  void whatIsNoKeyOpensNothing() {
    String wrongSecret = ApiKey.make("x", Set.of(Permission.HOLD), List.of("")).text();
    isProblem(new Caller(server.address()).with(wrongSecret).acquire("lock/a"), 401);
    isProblem(new Caller(server.address()).with("secret").acquire("lock/a"), 401);
  }

  @Test
  void aKeyWithAnothersSecretOpensNothing() {
    ApiKey.Made one = ApiKey.make("one", Set.of(Permission.HOLD), List.of(""));
    ApiKey.Made two = ApiKey.make("two", Set.of(Permission.HOLD), List.of(""));
    var unused = keys.add(one.key());
    var unusedToo = keys.add(two.key());
    String mixed = one.text().substring(0, 20) + two.text().substring(20);
    isProblem(new Caller(server.address()).with(mixed).acquire("lock/a"), 401);
  }

  @Test
  void healthAndTheDocumentNeedNoKey() {
    Caller stranger = new Caller(server.address());
    for (String path : List.of("/healthz", "/readyz", "/v1/openapi.json", "/")) {
      assertThat(stranger.get(path).status()).as(path).isEqualTo(200);
    }
    assertThat(stranger.get("/").text()).doesNotContain("On record now");
  }

  @Test
  void aKeyIsForItsVerbsAndItsPrefixes() {
    assertThat(holder.acquire("lock/a").status()).isEqualTo(200);
    isProblem(holder.acquire("leader/a"), 403);
    isProblem(holder.get("/v1/leases?prefix=lock/"), 403);
    isProblem(holder.post("/v1/leases/revoke", "{~key~:~lock/a~,~why~:~w~}"), 403);
    isProblem(
        holder.post(
            "/v1/leases/batch", "{~commands~:[{~verb~:~revoke~,~key~:~lock/a~,~why~:~w~}]}"),
        403);
    Caller reader = caller("lock/", Permission.READ);
    assertThat(reader.get("/v1/leases?prefix=lock/a").status()).isEqualTo(200);
    isProblem(reader.get("/v1/leases"), 403);
    isProblem(reader.get("/v1/leases/leader/a"), 403);
    isProblem(reader.get("/v1/leases/watch?prefix=l"), 403);
    isProblem(reader.get("/v1/audit"), 403);
    isProblem(reader.acquire("lock/b"), 403);
  }

  @Test
  void aKeyIsForItsObjects() {
    Caller writer = caller("object/sandbox/eu/", Permission.HOLD);
    var put = BodyPublishers.ofString("1");
    String fenced = "/v1/objects/sandbox/eu/a";
    assertThat(writer.send(writer.request(fenced).PUT(put)).status()).isEqualTo(201);
    isProblem(writer.send(writer.request("/v1/objects/sandbox/us/a").PUT(put)), 403);
    isProblem(writer.send(writer.request("/v1/objects/sandboxes/eu/a").PUT(put)), 403);
    isProblem(writer.send(writer.request("/v1/objects/sandbox/us/a").DELETE()), 403);
    isProblem(writer.get(fenced), 403);
    // It may not write under a lease outside its prefixes either.
    long token = all.acquire("leader/a").token();
    isProblem(
        writer.send(
            writer
                .request(fenced)
                .header("Leasehold-Key", "leader/a")
                .header("Leasehold-Token", Long.toString(token))
                .PUT(put)),
        403);
    Caller reader = caller("object/sandbox/", Permission.READ);
    assertThat(reader.get(fenced).text()).isEqualTo("1");
    assertThat(reader.get("/v1/objects/sandbox").status()).isEqualTo(200);
    isProblem(reader.get("/v1/objects/other/a"), 403);
    isProblem(reader.send(reader.request(fenced).PUT(put)), 403);
    isProblem(caller("object/sandbox/eu/", Permission.READ).get("/v1/objects/sandbox"), 403);
    isProblem(new Caller(server.address()).get(fenced), 401);
  }

  @Test
  void anOperatorIsRecordedByItsKey() {
    long token = all.acquire("lock/a").token();
    all.post("/v1/leases/revoke", "{~key~:~lock/a~,~why~:~w~,~by~:~ann~}");
    assertThat(all.release("lock/a", token).json().text("by")).isEqualTo("ann (API key tester)");
  }

  @Test
  void anothersRenewalWithTheRightTokenIsLost() {
    long token = holder.acquire("lock/a").token();
    Caller thief = caller("lock/", Permission.HOLD);
    Caller.Reply reply =
        thief.post("/v1/leases/renew", "{$,~leases~:[{~key~:~lock/a~,~token~:" + token + "}]}");
    assertThat(reply.json().list("results", 1).getFirst().text("reason")).isEqualTo("NOT_HOLDER");
    isProblem(
        thief.post("/v1/leases/renew", "{~leases~:[{~key~:~lock/a~,~token~:" + token + "}]}"), 400);
  }

  @Test
  void norDoesTheRightTokenReleaseOrHandOverWhatIsAnothers() {
    long token = holder.acquire("lock/a").token();
    Caller thief = caller("lock/", Permission.HOLD);
    Caller.Reply released = thief.release("lock/a", token);
    isProblem(released, 409);
    assertThat(released.json().text("reason")).isEqualTo("NOT_HOLDER");
    Caller.Reply handed =
        thief.post(
            "/v1/leases/handover",
            "{~key~:~lock/a~,~token~:"
                + token
                + ",~to~:~thief~,~toInstanceId~:~"
                + all.instance.id().text()
                + "~,$}");
    isProblem(handed, 409);
    assertThat(handed.json().text("reason")).isEqualTo("NOT_HOLDER");
    assertThat(holder.release("lock/a", token).outcome()).isEqualTo("released");
  }

  @ParameterizedTest
  @CsvSource({
    "Host, evil.example, 403",
    "Host, localhost.evil.example, 403",
    "Host, 127.0.0.1.evil.example:7420, 403",
    "Host, evil.example:80, 403",
    "Origin, http://evil.example, 403",
    "Origin, null, 403"
  })
  void foreignPagesAreRefused(String header, String value, int status) throws IOException {
    String answer =
        raw(
            "GET /healthz HTTP/1.1\r\n"
                + (header.equals("Host") ? "" : "Host: localhost\r\n")
                + header
                + ": "
                + value
                + "\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 " + status).contains("application/problem+json");
  }

  @Test
  void bodiesAreBounded() {
    String padding = "x".repeat(70_000);
    String body = "{\"key\":\"" + padding;
    isProblem(
        holder.post("/v1/leases/acquire", "{~key~:~lock/a~,~holder~:~" + padding + "~}"), 413);
    // The length is not announced: the server notices it while it reads.
    var chunked =
        BodyPublishers.ofInputStream(
            () -> new java.io.ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII)));
    isProblem(holder.send(holder.request("/v1/leases/acquire").POST(chunked)), 413);
  }

  @Test
  void batchesAreBounded() {
    String one = "{~verb~:~abandon~,~key~:~lock/a~,~requestId~:~r~,$}";
    List<String> many = new ArrayList<>();
    for (int i = 0; i <= 10_000; i++) {
      many.add(one);
    }
    Caller.Reply reply =
        holder.post("/v1/leases/batch", "{~commands~:[" + String.join(",", many) + "]}");
    isProblem(reply, 400);
    assertThat(reply.json().text("detail")).contains("at most 10000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "nonsense", "[]", "{~key~:~lock/a~}", "{~key~:7}"})
  void malformedInputIsNamed(String body) {
    isProblem(holder.post("/v1/leases/acquire", body), 400);
  }

  @Test
  void deepJsonIsRefused() {
    isProblem(holder.post("/v1/leases/acquire", "{~a~:" + "[".repeat(60_000)), 400);
  }

  @Test
  void anotherTypeOfContentIsRefused() {
    Caller.Reply reply =
        holder.send(
            holder
                .request("/v1/leases/acquire")
                .setHeader("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}")));
    isProblem(reply, 415);
  }

  @Test
  void whatIsNowhereIsNotFoundAndWrongMethodsAreNamed() {
    isProblem(all.get("/v1/nothing"), 404);
    isProblem(all.get("/v2"), 404);
    isProblem(all.post("/healthz", "{}"), 405);
    isProblem(all.get("/v1/leases?limit=1001"), 400);
    isProblem(all.get("/v1/leases?limit=x"), 400);
    isProblem(all.get("/v1/leases?after=x"), 400);
    isProblem(all.get("/v1/leases/lock"), 400);
    for (String command : List.of("acquire", "renew", "batch", "revoke")) {
      isProblem(all.get("/v1/leases/" + command), 405);
    }
  }

  /** A misspelt filter must not count as no filter. */
  @ParameterizedTest
  @CsvSource({
    "/v1/leases?prefx=lock/, 'prefix, after, limit, detail'",
    "/v1/leases/lock/a?details=record, detail",
    "/v1/leases/watch?prefx=lock/, prefix",
    "/v1/objects/sandbox?limits=1, 'after, limit'",
    "/v1/objects?type=sandbox&wacht=true, 'type, after, limit, watch'",
    "/v1/bindings?type=sandbox&x=1, 'type, after, limit, watch'",
    "/v1/audit?kind=lock, none"
  })
  void parametersThatAreNotKnownAreRefused(String path, String known) {
    Caller.Reply reply = all.get(path);
    isProblem(reply, 400);
    assertThat(reply.json().text("detail")).endsWith("known: " + known);
  }

  @Test
  void whatIsNoHttpGetsAProblemToo() throws IOException {
    assertThat(raw("NONSENSE\r\n\r\n")).startsWith("HTTP/1.1 400");
    String header = "X-Long: " + "x".repeat(20_000);
    assertThat(raw("GET / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("application/problem+json");
  }

  /** Many requests that begin and never end take nothing that other requests need. */
  @Test
  void slowBodiesAndSlowReadersDelayNoOtherClient() throws IOException {
    String behind = "Host: localhost\r\nAuthorization: Bearer " + allKey + "\r\n";
    String body =
        "POST /v1/leases/acquire HTTP/1.1\r\n"
            + behind
            + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    String watch = "GET /v1/leases/watch HTTP/1.1\r\n" + behind + "\r\n";
    List<Socket> bodies = new ArrayList<>();
    List<Socket> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        bodies.add(connect(body));
        readers.add(connect(watch));
      }
      for (Socket reader : readers) {
        assertThat(statusOf(reader)).isEqualTo("HTTP/1.1 200");
      }
      assertThat(all.get("/metrics").text())
          .contains("leasehold_requests{state=\"streaming\"} 100.0");
      assertThat(holder.acquire("lock/a").outcome()).isEqualTo("granted");
      // They were admitted, and the server waited for the rest: now that it is here, it is no JSON.
      for (Socket slow : bodies) {
        slow.getOutputStream().write(" ".repeat(99).getBytes(StandardCharsets.US_ASCII));
        assertThat(statusOf(slow)).isEqualTo("HTTP/1.1 400");
      }
    } finally {
      for (Socket socket : List.of(bodies, readers).stream().flatMap(List::stream).toList()) {
        socket.close();
      }
    }
  }

  private static String statusOf(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  private Socket connect(String head) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private String raw(String text) throws IOException {
    try (Socket socket = connect(text)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
