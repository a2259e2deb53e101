package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls on the store as a whole: advancing, purging, and the ledger. */
@Timeout(120)
class StoreCallsTest {
  private static final String SEALING =
      "{~entry~:~sealing~,~key~:~lock/a~,~token~:7,~holder~:~h~,~target~:~table~}";
  private static final String CHARTERED =
      "{~entry~:~chartered~,~holder~:~h~,~charter~:{~kind~:~lock~,~payload~:~LIVENESS~,"
          + "~covers~:~jobs~,~anchor~:~WALL_CLOCK~,~ttlMs~:30000,~stallMs~:0,~handoff~:~GAP~,"
          + "~targets~:[]}}";

  private final Store store = MemoryStore.open();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final LeaseholdServer server =
      LeaseholdServer.on(store).apiKeys(keys).requireKeys().start();
  private final Caller operator = caller("", Permission.values());

  private Caller caller(String prefix, Permission... permissions) {
    ApiKey.Made made = ApiKey.make("tester", Set.of(permissions), List.of(prefix));
    var unused = keys.add(made.key());
    return new Caller(server.address()).with(made.text());
  }

  @AfterEach
  void stop() {
    assertThat(operator.get("/v1/store").status()).isEqualTo(200);
    server.close();
    store.close();
  }

  private static void isProblem(Caller.Reply reply, int status) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.type()).isEqualTo("application/problem+json");
  }

  @Test
  void anAdvanceEndsEveryGrantAndSaysForHowLongNothingIsGranted() {
    long before = operator.acquire("lock/a").token();
    int was = new Token(before).incarnation();
    Caller.Reply advanced =
        operator.post(
            "/v1/store/advance",
            "{~above~:%d,~witness~:%d,~holdOffMs~:0}".formatted(was + 6, was + 9));
    assertThat(advanced.status()).as(advanced.text()).isEqualTo(200);
    assertThat(advanced.outcome()).isEqualTo("advanced");
    assertThat(advanced.json().number("incarnation")).isEqualTo(was + 10);
    assertThat(operator.release("lock/a", before).json().text("reason"))
        .isEqualTo("INCARNATION_ADVANCED");
    Caller.Reply granted = operator.acquire("lock/a");
    assertThat(granted.outcome()).as(granted.text()).isEqualTo("granted");
    assertThat(granted.token()).isGreaterThanOrEqualTo(Token.of(was + 10, 0).value());
  }

  @Test
  void anAdvanceThatCannotBeIsRefused() {
    isProblem(operator.post("/v1/store/advance", "{~above~:" + Token.MAX_INCARNATION + "}"), 409);
    assertThat(operator.acquire("lock/a").outcome()).isEqualTo("granted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{~above~:-1}",
        "{~above~:99999999}",
        "{~above~:18446744073709551617}",
        "{~holdOffMs~:-1}",
        "{~abvoe~:1}"
      })
  void anAdvanceThatMakesNoSenseIsBadInput(String body) {
    isProblem(operator.post("/v1/store/advance", body), 400);
  }

  @Test
  void aPurgeSaysHowManyAreGone() {
    operator.release("lock/a", operator.acquire("lock/a").token());
    Caller.Reply purged = operator.post("/v1/store/purge", "{~deadForMs~:86400000,~limit~:10}");
    assertThat(purged.status()).isEqualTo(200);
    assertThat(purged.json().number("purged")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{~deadForMs~:-1}",
        "{~deadForMs~:1,~limit~:0}",
        "{~deadForMs~:1,~limit~:10001}",
        // In 32 bits it would be 1.
        "{~deadForMs~:1,~limit~:-4294967295}"
      })
  void aPurgeThatMakesNoSenseIsBadInput(String body) {
    isProblem(operator.post("/v1/store/purge", body), 400);
  }

  @Test
  void whatIsWrittenDownCanBeRead() {
    Caller.Reply written =
        operator.post("/v1/ledger", "{~entries~:[" + CHARTERED + "," + SEALING + "]}");
    assertThat(written.text()).isEqualTo("{\"written\":2}");
    Members ledger = operator.get("/v1/ledger").json();
    assertThat(ledger.list("charters", 10))
        .singleElement()
        .satisfies(kept -> assertThat(kept.object("charter").text("kind")).isEqualTo("lock"));
    assertThat(ledger.list("seals", 10))
        .singleElement()
        .satisfies(kept -> assertThat(kept.text("target")).isEqualTo("table"));
    assertThat(ledger.list("refusals", 10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{~entries~:{}}",
        "{~entries~:[7]}",
        "{~entries~:[{~entry~:~rumour~}]}",
        "{~entries~:[{~entry~:~sealing~,~key~:~lock/a~}]}"
      })
  void entriesThatMakeNoSenseAreBadInput(String body) {
    isProblem(operator.post("/v1/ledger", body), 400);
  }

  @Test
  void aThousandEntriesAreTakenAndOneMoreIsNot() {
    String thousand = String.join(",", Collections.nCopies(1_000, SEALING));
    assertThat(operator.post("/v1/ledger", "{~entries~:[" + thousand + "]}").status())
        .isEqualTo(200);
    isProblem(operator.post("/v1/ledger", "{~entries~:[" + thousand + "," + SEALING + "]}"), 400);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/store/advance, HOLD, ''",
    "POST, /v1/store/purge, HOLD, ''",
    "GET, /v1/ledger, HOLD, ''",
    "POST, /v1/ledger, READ, ''",
    "GET, /v1/audit, HOLD, ''",
    "POST, /v1/store/advance, OPERATE, lock/",
    "POST, /v1/store/purge, OPERATE, lock/",
    "GET, /v1/ledger, READ, lock/",
    "GET, /v1/audit, READ, lock/"
  })
  void aCallerWithoutPermissionOnTheWholeStoreIsRefused(
      String method, String path, Permission has, String prefix) {
    Caller other = caller(prefix, has);
    isProblem(method.equals("GET") ? other.get(path) : other.post(path, "{}"), 403);
  }

  @Test
  void whatIsAnothersCannotBeWrittenDown() {
    Caller leader = caller("leader/", Permission.HOLD);
    isProblem(leader.post("/v1/ledger", "{~entries~:[" + SEALING + "]}"), 403);
    isProblem(leader.post("/v1/ledger", "{~entries~:[" + CHARTERED + "]}"), 403);
    String refused =
        "{~entry~:~refused~,~id~:~r~,~target~:~t~,~key~:~lock/a~,~token~:7,~who~:~w~,"
            + "~outcome~:~unissued~}";
    isProblem(leader.post("/v1/ledger", "{~entries~:[" + refused + "]}"), 403);
    assertThat(operator.get("/v1/ledger").json().list("seals", 10)).isEmpty();
  }
}
