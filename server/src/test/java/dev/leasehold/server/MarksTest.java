package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where the marks of {@code /v1/fences} are kept, and which callers can use up the limit of targets
 * (I4).
 */
class MarksTest {
  @TempDir private Path folder;

  private JdbcStore open() {
    return JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
  }

  @Test
  void whatWasSealedIsSealedAfterARestart() {
    long first;
    long second;
    try (JdbcStore store = open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      Caller caller = new Caller(server.address());
      first = caller.acquire("lock/a").token();
      caller.release("lock/a", first);
      second = caller.acquire("lock/a").token();
      assertThat(ask(caller, "seal", second).outcome()).isEqualTo("admitted");
    }
    try (JdbcStore store = open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      Caller caller = new Caller(server.address());
      Caller.Reply stale = ask(caller, "admit", first);
      assertThat(stale.status()).isEqualTo(409);
      assertThat(stale.outcome()).isEqualTo("stale");
      assertThat(stale.json().number("current")).isEqualTo(second);
      assertThat(ask(caller, "admit", second).outcome()).isEqualTo("admitted");
      assertThat(store.fence("table").trail(10)).as("the ledger has it").isEmpty();
    }
  }

  private static Caller.Reply ask(Caller caller, String verb, long token) {
    return caller.post("/v1/fences/table/" + verb, "{~key~:~lock/a~,~token~:" + token + "}");
  }

  @Test
  void aRefusedClaimUsesUpNoNames() {
    Token issued = new Token(7);
    MemoryFences fences =
        new MemoryFences(
            (key, token) ->
                token.equals(issued)
                    ? new IssuedTokens.Granted()
                    : new IssuedTokens.Never(Optional.of(issued)));
    Claim real = new Claim(new LeaseKey("lock/a"), issued, "me");
    Claim madeUp = new Claim(new LeaseKey("lock/a"), new Token(8), "somebody");
    for (int i = 0; i < MemoryFences.MAX_TARGETS; i++) {
      assertThat(fences.apply("t" + i).admit(madeUp)).isInstanceOf(Admission.Unissued.class);
      assertThat(fences.apply("t" + i).seal(madeUp)).isInstanceOf(Admission.Unissued.class);
    }
    assertThat(fences.apply("table").admit(real)).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void aTargetHasOneMarkForAllCallers() {
    MemoryFences fences = new MemoryFences(IssuedTokens.unseen());
    var cameFirst = fences.apply("table");
    Claim old = new Claim(new LeaseKey("lock/a"), new Token(7), "old");
    Claim young = new Claim(new LeaseKey("lock/a"), new Token(8), "young");
    assertThat(fences.apply("table").seal(young)).isEqualTo(Admission.ADMITTED);
    assertThat(cameFirst.admit(old)).isInstanceOf(Admission.Stale.class);
  }
}
