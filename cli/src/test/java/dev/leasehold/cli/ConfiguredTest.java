package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.cli.place.ServerPlace;
import dev.leasehold.cli.place.StorePlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands and the server use {@code leasehold.yaml}, the environment and flags. */
@Timeout(60)
class ConfiguredTest {
  @TempDir private Path folder;
  private final Shell shell = new Shell();
  private final List<LeasePlace> opened = new ArrayList<>();

  @BeforeEach
  void beInTheFolder() {
    shell.folder = folder;
    shell.stores =
        place -> {
          opened.add(place);
          return MemoryStore.open();
        };
  }

  /** A server that is asked to end at once: it starts, and stops as soon as it could wait. */
  private Result serve(String... words) {
    shell.interruptions =
        task -> {
          Thread.startVirtualThread(task);
          return () -> {};
        };
    String[] all = new String[words.length + 1];
    all[0] = "serve";
    System.arraycopy(words, 0, all, 1, words.length);
    return shell.run(all);
  }

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("leasehold.yaml"), text);
  }

  private LeasePlace place(String... words) {
    opened.clear();
    Result result = shell.run(words);
    assertThat(result.code()).as(result.err()).isZero();
    return opened.getFirst();
  }

  @Test
  void aLeaseIsTakenWithTheTimesOfItsKindUnlessAFlagSaysOthers() throws Exception {
    write("leases: {kinds: {lock: {ttl: 7m, stall: 3m}}}");
    String[] acquire = {"lease", "acquire", "lock/a", "--json", "--store", "memory:"};
    assertThat(shell.run(acquire).member("ttlMs")).isEqualTo("420000");
    assertThat(shell.run("lease", "acquire", "leader/a", "--json").member("ttlMs"))
        .isEqualTo("30000");
    shell.environment.put("LEASEHOLD_LEASES_KINDS_LOCK_TTL", "8m");
    assertThat(shell.run(acquire).member("ttlMs")).isEqualTo("480000");
    Result set =
        shell.run("lease", "acquire", "lock/a", "--json", "--set", "leases.kinds.lock.ttl=9m");
    assertThat(set.member("ttlMs")).isEqualTo("540000");
    Result flag = shell.run("lease", "acquire", "lock/a", "--json", "--ttl", "10m");
    assertThat(flag.member("ttlMs")).isEqualTo("600000");
  }

  @Test
  void theFileSaysWhereLeasesAreAndTheEnvironmentAndFlagsAreHeardBeforeIt() throws Exception {
    write("store: sqlite:of-file.db\nschema: check\ndata: seen\n");
    assertThat(place("lease", "list"))
        .isEqualTo(
            new StorePlace(
                "sqlite:" + folder.resolve("of-file.db"),
                StorePlace.Schema.CHECK,
                Optional.of(folder.resolve("seen")),
                true));
    write("store: sqlite:of-file.db\nserver: http://file:1");
    assertThat(((ServerPlace) place("lease", "list")).urls()).containsExactly("http://file:1");
    assertThat(((StorePlace) place("audit", "--store", "memory:")).url()).isEqualTo("memory:");
    shell.environment.put("LEASEHOLD_STORE", "sqlite:of-environment.db");
    assertThat(((StorePlace) place("lease", "list")).url()).isEqualTo("sqlite:of-environment.db");
    assertThat(((ServerPlace) place("lease", "list", "--server", "http://flag:1")).urls())
        .containsExactly("http://flag:1");

    shell.environment.put("LEASEHOLD_SERVER", "http://environment:1");
    Result both = shell.run("lease", "list");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("LEASEHOLD_STORE and LEASEHOLD_SERVER are both given");
  }

  @Test
  void aFileThatIsNamedIsReadInsteadOfTheOneThatIsThere() throws Exception {
    write("nonsense: 1");
    Path other = Files.writeString(folder.resolve("other.yaml"), "server: http://other:1");
    assertThat(place("lease", "list", "--config", other.toString()))
        .isInstanceOf(ServerPlace.class);
    shell.environment.put("LEASEHOLD_CONFIG", other.toString());
    assertThat(place("lease", "list")).isInstanceOf(ServerPlace.class);
    shell.environment.clear();
    Result wrong = shell.run("lease", "list");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("leasehold.yaml:1: there is no setting 'nonsense'; did you mean ")
        .hasLineCount(1);
  }

  @Test
  void theServerGoesByItsFileAndSaysSo() throws Exception {
    write("listen: 127.0.0.1:0\nstore: 'memory:'\nlog: {format: json}\nkeys: {required: true}\n");
    Result served = serve("--data", folder.resolve("data").toString());
    assertThat(served.code()).as(served.err()).isZero();
    assertThat(served.out()).startsWith("leasehold serves memory: at http://127.0.0.1:");
    assertThat(served.err().lines())
        .contains("leasehold: configured by " + folder.resolve("leasehold.yaml"))
        .anyMatch(line -> line.startsWith("{\"at\":\"") && line.contains("leases are served at"));
    assertThat(folder.resolve("data")).isDirectory();

    Result quiet = serve("--log-level", "error", "--log-format=text", "--set", "data=" + folder);
    assertThat(quiet.code()).as(quiet.err()).isZero();
    assertThat(quiet.err().lines())
        .containsExactly(
            "leasehold: configured by " + folder.resolve("leasehold.yaml"),
            "leasehold: store memory: by " + folder.resolve("leasehold.yaml") + ":2");
  }

  /** Two jobs in two folders that use one file must use one store. */
  @Test
  void whatIsRelativeInAFileStartsInItsFolderWhereverTheCommandIsCalled() throws Exception {
    Path etc = Files.createDirectory(folder.resolve("etc"));
    Path file = etc.resolve("shared.yaml");
    Files.writeString(file, "store: sqlite:leases.db\ndata: seen\n");
    for (String job : List.of("one", "two")) {
      shell.folder = Files.createDirectory(folder.resolve(job));
      StorePlace place = (StorePlace) place("lease", "list", "--config", file.toString());
      assertThat(place.url()).isEqualTo("sqlite:" + etc.resolve("leases.db"));
      assertThat(place.data()).contains(etc.resolve("seen"));
    }
    Files.writeString(file, "server: https://a:1\ntrust: ca.pem\n");
    ServerPlace server = (ServerPlace) place("lease", "list", "--config", file.toString());
    assertThat(server.trust()).contains(etc.resolve("ca.pem"));
  }

  @Test
  void theCallerIsToldWhichFileNamedItsStoreOrServer() throws Exception {
    Path file = folder.resolve("leasehold.yaml");
    write("# ours\nstore: 'jdbc:postgresql://u:geheim@db/a'\n");
    for (List<String> words :
        List.of(List.of("lease", "list", "--json"), List.of("audit"), List.of("key", "list"))) {
      assertThat(shell.run(words.toArray(String[]::new)).err().lines())
          .contains("leasehold: store jdbc:postgresql://u:***@db/a by " + file + ":2");
    }
    write("server: http://file:1\nstore: sqlite:other.db\n");
    Result exec = shell.run("exec", "lock/a", "--", "/bin/true");
    assertThat(exec.code()).as(exec.err()).isZero();
    assertThat(exec.err().lines()).contains("leasehold: server http://file:1 by " + file + ":1");
    assertThat(exec.err()).doesNotContain("other.db");
    assertThat(shell.run("lease", "list", "--store", "memory:").err()).isEmpty();
    shell.environment.put("LEASEHOLD_SERVER", "http://environment:1");
    assertThat(shell.run("lease", "list").err()).isEmpty();
  }

  @Test
  void anApiKeyIsNotSentToAServerNamedOnlyByAFileThatTheCallerDidNotName() throws Exception {
    Path file = folder.resolve("leasehold.yaml");
    write("server: http://file:1");
    assertThat(((ServerPlace) place("lease", "list")).apiKey()).isEmpty();
    shell.environment.put("LEASEHOLD_API_KEY", "geheim");
    opened.clear();
    Result refused = shell.run("lease", "list");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(opened).isEmpty();
    assertThat(refused.err())
        .contains(file + ":1", "--config", "--server", "LEASEHOLD_SERVER")
        .doesNotContain("geheim");

    String[][] named = {{"--config", file.toString()}, {"--server", "http://flag:1"}};
    for (String[] by : named) {
      ServerPlace server = (ServerPlace) place("lease", "list", by[0], by[1]);
      assertThat(server.apiKey()).contains("geheim");
    }
    write("trust: theirs.pem");
    assertThat(shell.run("lease", "list", "--server", "https://flag:1").err())
        .contains("a server that only " + file + ":1 trusts", "--trust");
    write("log: {level: info}");
    assertThat(((ServerPlace) place("lease", "list")).apiKey()).contains("geheim");
  }

  @Test
  void aServerWithoutAFileSaysNothingOfOne() {
    Result served = serve("--store", "memory:", "--listen", "127.0.0.1:0", "--require-keys");
    assertThat(served.code()).as(served.err()).isZero();
    assertThat(served.err()).doesNotContain("configured").contains("INFO");
  }

  @Test
  void whatAServerCannotGoByIsSaidBeforeItStarts() {
    for (String[] words :
        new String[][] {
          {"--tls-key", "k.pem", "TLS needs both"},
          {"--listen", "here", "--listen: listen is written HOST:PORT, not 'here'"},
          {"--idle", "1s", "15 s of silence at the soonest"},
          {"--set", "lissen=1", "did you mean listen?"},
          {"--listen", "0.0.0.0:0", "needs TLS"}
        }) {
      Result result = serve("--store", "memory:", words[0], words[1]);
      assertThat(result.code()).as(words[2]).isEqualTo(2);
      assertThat(result.err()).contains(words[2]);
      assertThat(result.out()).isEmpty();
    }
  }

  @Test
  void nothingIsMadeForAServerThatCannotListen() throws Exception {
    shell.stores = LeasePlace::open;
    Path data = folder.resolve("fresh");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (String listen : List.of("0.0.0.0:0", "127.0.0.1:" + taken.getLocalPort())) {
        Result refused = serve("--data", data.toString(), "--listen", listen);
        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(data).doesNotExist();
      }
    }
  }

  @Test
  void aVariableThatMeansNothingIsSaidWithTheNearest() {
    shell.environment.put("LEASEHOLD_LISTN", "127.0.0.1:1");
    shell.environment.put("LEASEHOLD_LEASES_KINDS_CRON_TLL", "1m");
    shell.environment.put("LEASEHOLD_PORT_7420_TCP", "tcp://10.0.0.1:7420");
    for (String known : List.of("KEY", "TOKEN", "HOLDER", "PROGRESS", "API_KEY", "INSTANCE")) {
      shell.environment.put("LEASEHOLD_" + known, "x");
    }
    Result printed = serve("--print-config");
    assertThat(printed.code()).as(printed.err()).isZero();
    assertThat(printed.err().lines())
        .containsExactly(
            "leasehold: warning: the variable LEASEHOLD_LEASES_KINDS_CRON_TLL means nothing; did"
                + " you mean LEASEHOLD_LEASES_KINDS_CRON_TTL?",
            "leasehold: warning: the variable LEASEHOLD_LISTN means nothing; did you mean"
                + " LEASEHOLD_LISTEN?");
  }

  @Test
  void theConfigurationIsPrintedAndNothingIsServed() throws Exception {
    write("listen: 127.0.0.1:9\n");
    Result printed = serve("--print-config", "--store", "jdbc:postgresql://db/a?password=geheim");
    assertThat(printed.code()).isZero();
    assertThat(printed.out())
        .contains(
            "store: 'jdbc:postgresql://db/a?password=***'  # --store\n",
            "listen: '127.0.0.1:9'  # " + folder.resolve("leasehold.yaml") + ":1\n",
            "  required: false  # default\n")
        .doesNotContain("geheim");
    assertThat(opened).isEmpty();
    assertThat(folder.resolve("leasehold-data")).doesNotExist();
  }
}
