package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.server.ops.JsonLogFormatter;
import dev.leasehold.testkit.model.ForwardingStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The instance is the holder's secret: it is in no answer, no metric and no log, at any level. */
@Timeout(120)
class SecretsTest {
  private static final Logger ROOT = Logger.getLogger("dev.leasehold");

  private final Failing store = new Failing();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());
  private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
  private final List<String> answers = new ArrayList<>();
  private final Optional<Level> before = Optional.ofNullable(ROOT.getLevel());

  private final Handler listener =
      new Handler() {
        private final JsonLogFormatter formatter = new JsonLogFormatter();

        @Override
        public void publish(LogRecord record) {
          logged.add(formatter.format(record) + Arrays.toString(record.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Fails, when the test tells it to, with a message that contains all it knows. */
  private static final class Failing extends ForwardingStore {
    volatile boolean failing;

    Failing() {
      super(new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE));
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return failing
          ? CompletableFuture.failedFuture(new IllegalStateException("cannot do " + batch))
          : super.apply(batch);
    }
  }

  @BeforeEach
  void listen() {
    ROOT.setLevel(Level.ALL);
    ROOT.addHandler(listener);
  }

  @AfterEach
  void stop() {
    ROOT.removeHandler(listener);
    ROOT.setLevel(before.orElse(null));
    server.close();
    store.close();
  }

  private void post(String verb, String body) {
    answers.add(me.post("/v1/leases/" + verb, body).text());
  }

  private void everyCall(long token) {
    String grant = "~key~:~lock/a~,~token~:" + token + ",$";
    String acquire = "~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,$";
    post("acquire", "{" + acquire + "}");
    post("acquire", "{" + acquire + ",~waitMs~:1}");
    post("acquire", "{" + acquire + ",~requestId~:~r~}");
    post("renew", "{$,~leases~:[{~key~:~lock/a~,~token~:" + token + "}]}");
    post("handover", "{" + grant + ",~to~:~x~,~toInstanceId~:~" + "ab".repeat(32) + "~}");
    post("abandon", "{~key~:~lock/a~,~requestId~:~r~,$}");
    post("release", "{" + grant + "}");
    post("batch", "{~commands~:[{~verb~:~acquire~," + acquire + "}]}");
    post("batch?detail=record", "{~commands~:[{~verb~:~acquire~," + acquire + "}]}");
    // Malformed commands too, each with its fault in another place.
    post("acquire", "{" + acquire + ",~more~:1}");
    post("acquire", "{" + acquire + ",$}");
    post("acquire", "{" + acquire + "," + me.instance.secret());
    post("renew", "{$,~leases~:7}");
    for (String path : List.of("/v1/leases", "/v1/leases?detail=record", "/v1/leases/lock/a")) {
      answers.add(me.get(path).text());
    }
    for (String path : List.of("/v1/audit", "/v1/ledger", "/metrics", "/readyz", "/")) {
      answers.add(me.get(path).text());
    }
  }

  @Test
  void noInstanceIsToldOrLogged() {
    everyCall(me.acquire("lock/a").token());
    store.failing = true;
    everyCall(1);
    assertThat(logged).as("the failures were logged").isNotEmpty();
    assertThat(logged).noneMatch(text -> text.contains(me.instance.secret()));
    assertThat(answers).noneMatch(text -> text.contains(me.instance.secret()));
  }
}
