package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.sessions.Session;
import dev.leasehold.kernel.Leases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code GET /v1/sessions}. */
class SessionsTest {
  private final MemoryStore store = MemoryStore.open();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Leases leases = Leases.on(store).holder("one").open();
  private final Caller caller = new Caller(server.address());

  @AfterEach
  void close() {
    leases.close();
    server.close();
    store.close();
  }

  private static List<String> keys(Caller.Reply reply) {
    return reply.json().list("items", 1_000, item -> item.text("key"));
  }

  @Test
  void aSessionIsListedWithWhatItSaysOfItsProcess() throws Exception {
    Session session =
        Session.on(leases).role("server").role("worker").address("10.0.0.7:7420").open();
    Caller.Reply reply = caller.get("/v1/sessions");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text())
        .contains(
            "\"key\":\"" + session.key() + "\"",
            "\"token\":" + session.token(),
            "\"holder\":\"one\"",
            "\"instanceId\":\"" + leases.instanceId() + "\"",
            "\"roles\":[\"server\",\"worker\"]",
            "\"address\":\"10.0.0.7:7420\"",
            "\"ttlMs\":30000")
        .doesNotContain("version", "next");
  }

  @Test
  void neitherEndedSessionsNorOtherLeasesAreListed() throws Exception {
    caller.acquire("lock/a");
    Session session = Session.on(leases).open();
    assertThat(caller.get("/v1/sessions").text()).contains(session.key().text());
    session.close();
    assertThat(caller.get("/v1/sessions").text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void sessionsAreListedPageByPageInTheOrderOfTheirKeys() throws Exception {
    List<String> opened = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      opened.add(Session.on(leases).open().key().text());
    }
    Caller.Reply first = caller.get("/v1/sessions?limit=2");
    String next = first.json().text("next");
    Caller.Reply second = caller.get("/v1/sessions?limit=2&after=" + next);
    List<String> listed = new ArrayList<>(keys(first));
    listed.addAll(keys(second));
    assertThat(listed).isEqualTo(opened.stream().sorted().toList());
    assertThat(second.text()).doesNotContain("next");
  }

  @Test
  void aPrefixThatNoSessionCanHaveIsAnError() {
    Caller.Reply reply = caller.get("/v1/sessions?prefix=lock/");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text())
        .contains("the key of a session begins with session/, so a prefix does too");
    assertThat(caller.get("/v1/sessions?prefix=session/f").status()).isEqualTo(200);
    assertThat(caller.get("/v1/sessions?roles=worker").status()).isEqualTo(400);
  }
}
