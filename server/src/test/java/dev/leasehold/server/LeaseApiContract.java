package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Members;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands and listings of the API, over any store. */
abstract class LeaseApiContract {
  private LeaseholdServer server;
  private Caller me;
  private Caller other;

  /** A fresh store; the subclass closes it. */
  abstract Store store();

  @BeforeEach
  void start() {
    server = LeaseholdServer.on(store()).start();
    me = new Caller(server.address());
    other = new Caller(server.address());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void whatIsGrantedToOneIsHeldForAnother() {
    Caller.Reply granted = me.acquire("lock/a");
    assertThat(granted.status()).isEqualTo(200);
    assertThat(granted.type()).isEqualTo("application/json");
    assertThat(granted.outcome()).isEqualTo("granted");
    assertThat(granted.json().text("instanceId")).isEqualTo(me.instance.id().text());
    assertThat(granted.json().number("remainingMs")).isBetween(1L, 30_000L);

    Caller.Reply held = other.acquire("lock/a");
    assertThat(held.status()).isEqualTo(409);
    assertThat(held.type()).isEqualTo("application/problem+json");
    assertThat(held.outcome()).isEqualTo("held");
    assertThat(held.token()).isEqualTo(granted.token());
    assertThat(held.json().number("status")).isEqualTo(409);
    assertThat(held.text()).doesNotContain(me.instance.secret());
  }

  @Test
  void renewalsAreAnsweredInOrderAndAnothersIsLost() {
    long a = me.acquire("lock/a").token();
    long b = other.acquire("lock/b").token();
    Caller.Reply reply =
        me.post(
            "/v1/leases/renew",
            "{$,~leases~:[{~key~:~lock/a~,~token~:"
                + a
                + ",~ttlMs~:40000},{~key~:~lock/b~,~token~:"
                + b
                + "}]}");
    assertThat(reply.status()).isEqualTo(200);
    List<Members> results = reply.json().list("results", 10);
    assertThat(results.get(0).text("key")).isEqualTo("lock/a");
    assertThat(results.get(0).text("outcome")).isEqualTo("renewed");
    assertThat(results.get(1).text("outcome")).isEqualTo("lost");
    assertThat(results.get(1).text("reason")).isEqualTo("NOT_HOLDER");
  }

  @Test
  void whatIsReleasedCanBeHadAndItsReleaseRepeated() {
    long token = me.acquire("lock/a").token();
    String release = "{~key~:~lock/a~,~token~:" + token + ",~requestId~:~r~,$}";
    assertThat(me.post("/v1/leases/release", release).text())
        .isEqualTo("{\"outcome\":\"released\"}");
    assertThat(me.post("/v1/leases/release", release).outcome()).isEqualTo("released");
    assertThat(other.acquire("lock/a").token()).isGreaterThan(token);
    Caller.Reply late = me.release("lock/a", token);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.outcome()).isEqualTo("lost");
    assertThat(late.json().text("reason")).isEqualTo("RELEASED");
  }

  @Test
  void anAcquireThatWasGivenUpIsNotGranted() {
    String abandon = "{~key~:~lock/a~,~requestId~:~r~,$}";
    assertThat(me.post("/v1/leases/abandon", abandon).outcome()).isEqualTo("abandoned");
    String acquire = "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,~requestId~:~r~,$}";
    Caller.Reply refused = me.post("/v1/leases/acquire", acquire);
    assertThat(refused.outcome()).isEqualTo("abandoned");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.type()).isEqualTo("application/problem+json");
    assertThat(other.acquire("lock/a").outcome()).isEqualTo("granted");
  }

  @Test
  void aGrantIsHandedOverAndRevoked() {
    long token = me.acquire("lock/a").token();
    Caller.Reply handed =
        me.post(
            "/v1/leases/handover",
            "{~key~:~lock/a~,~token~:"
                + token
                + ",~to~:~heir~,~toInstanceId~:~"
                + other.instance.id().text()
                + "~,$}");
    assertThat(handed.outcome()).isEqualTo("handedOver");
    assertThat(handed.token()).isGreaterThan(token);
    Caller.Reply revoked =
        me.post("/v1/leases/revoke", "{~key~:~lock/a~,~why~:~broken~,~now~:true}");
    assertThat(revoked.outcome()).isEqualTo("revoked");
    Caller.Reply lost = other.release("lock/a", handed.token());
    assertThat(lost.json().text("reason")).isEqualTo("REVOKED");
    assertThat(lost.json().text("by")).isEqualTo("local");
    assertThat(lost.json().text("why")).isEqualTo("broken");
    assertThat(me.post("/v1/leases/revoke", "{~key~:~lock/none~,~why~:~w~}").outcome())
        .isEqualTo("free");
  }

  @Test
  void aTakeoverThatExpectsAnotherGrantIsRefused() {
    long token = me.acquire("lock/a").token();
    me.release("lock/a", token);
    Caller.Reply changed =
        me.post(
            "/v1/leases/acquire",
            "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,$,~expect~:{~instanceId~:~"
                + other.instance.id().text()
                + "~,~token~:"
                + token
                + "}}");
    assertThat(changed.status()).isEqualTo(409);
    assertThat(changed.outcome()).isEqualTo("changed");
  }

  @Test
  void aBatchIsAnsweredInOrder() {
    Caller.Reply reply =
        me.post(
            "/v1/leases/batch",
            "{~commands~:["
                + "{~verb~:~acquire~,~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,$},"
                + "{~verb~:~acquire~,~key~:~lock/b~,~holder~:~h~,~ttlMs~:1,$},"
                + "{~verb~:~revoke~,~key~:~lock/a~,~why~:~w~}]}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().list("results", 10).stream().map(r -> r.text("outcome")))
        .containsExactly("granted", "rejected", "revoked");
  }

  @Test
  void recordsAreListedInPagesWithoutSecrets() {
    for (String name : List.of("lock/a", "lock/b", "leader/c")) {
      me.acquire(name);
    }
    Caller.Reply first = me.get("/v1/leases?prefix=lock/&limit=1");
    assertThat(first.json().list("items", 10))
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.text("key")).isEqualTo("lock/a");
              assertThat(item.text("state")).isEqualTo("held");
              assertThat(item.text("instanceId")).isEqualTo(me.instance.id().text());
            });
    assertThat(first.json().text("next")).isEqualTo("lock/a");
    Caller.Reply rest = me.get("/v1/leases?prefix=lock/&after=lock/a");
    assertThat(rest.json().list("items", 10)).hasSize(1);
    assertThat(rest.json().has("next")).isFalse();
    assertThat(first.text() + rest.text()).doesNotContain(me.instance.secret());
  }

  @Test
  void oneIsFoundHoweverItsNameIsWritten() {
    me.acquire("run/a/b%c");
    assertThat(me.get("/v1/leases/run/a/b%25c").json().text("key")).isEqualTo("run/a/b%c");
    assertThat(me.get("/v1/leases/run/a%2Fb%25c").json().text("key")).isEqualTo("run/a/b%c");
    assertThat(me.get("/v1/leases/run/other").status()).isEqualTo(404);
  }

  @Test
  void aTtlThatTheStoreCannotKeepIsBadInput() {
    Caller.Reply reply = me.post("/v1/leases/acquire", "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:1,$}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().text("detail")).contains("too short");
  }

  @Test
  void aFenceAdmitsTheLatestAndRefusesWhatItReplaced() {
    long first = me.acquire("lock/a").token();
    assertThat(admit("seal", first).outcome()).isEqualTo("admitted");
    me.release("lock/a", first);
    long second = other.acquire("lock/a").token();
    assertThat(admit("seal", second).outcome()).isEqualTo("admitted");
    Caller.Reply stale = admit("admit", first);
    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.outcome()).isEqualTo("stale");
    assertThat(stale.json().number("current")).isEqualTo(second);
    assertThat(admit("admit", second + 1).outcome()).isEqualTo("unissued");
    assertThat(me.get("/v1/audit").json().list("refusals", 10)).isNotEmpty();
    assertThat(me.get("/metrics").text())
        .contains("leasehold_refused_writes_total{target=\"table\"} 2.0");
    assertThat(me.get("/metrics").text().lines().filter(line -> line.startsWith("# HELP")))
        .hasSizeGreaterThan(5)
        .allMatch(line -> line.matches("# HELP leasehold_\\w+ [A-Z].+"));
  }

  private Caller.Reply admit(String verb, long token) {
    return me.post(
        "/v1/fences/table/" + verb, "{~key~:~lock/a~,~token~:" + token + ",~holder~:~me~}");
  }
}
