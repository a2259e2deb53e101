package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.RemoteStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lost answers, and servers that are gone. */
@Timeout(120)
class FailoverTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");

  private final LeaseStore behind =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(behind).start();
  private final DroppingServer dropping = new DroppingServer(server.address());
  private final Instance me = Instance.random();

  @AfterEach
  void close() {
    dropping.close();
    server.close();
    behind.close();
  }

  private RemoteStore store(boolean withTheOther) {
    return withTheOther
        ? RemoteStore.at(dropping.address(), server.address().toString()).open()
        : RemoteStore.at(dropping.address()).open();
  }

  private static Command acquire(Instance instance) {
    return Command.Acquire.of(
        KEY, instance, RequestId.random(), Terms.of("h", Duration.ofSeconds(30)));
  }

  private static Outcome ask(LeaseStore store, Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Test
  void anAnswerThatWasLostIsAskedForAtTheNextServer() {
    try (RemoteStore store = store(true)) {
      Outcome outcome = ask(store.leases(), acquire(me));
      assertThat(dropping.dropped).hasValue(1);
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
      var token = ((Outcome.Granted) outcome).grant().token();
      var reading = behind.read(KEY).toCompletableFuture().join().orElseThrow();
      assertThat(reading.record().last()).as("it was granted once").isEqualTo(token);
    }
  }

  @Test
  void heldIsNotTheLastWordWhileAnEarlierAttemptMayStillArrive() {
    dropping.passesOn = false;
    assertThat(ask(behind, acquire(Instance.random()))).isInstanceOf(Outcome.Granted.class);
    try (RemoteStore store = store(true)) {
      assertThat(ask(store.leases(), acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
      assertThat(ask(store.leases(), acquire(me)))
          .as("asked anew")
          .isInstanceOf(Outcome.Held.class);
    }
  }

  @Test
  void aCommandThatNoServerAnswersIsUnknown() {
    try (RemoteStore store = store(false)) {
      assertThat(ask(store.leases(), acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
      assertThat(dropping.dropped).hasValue(2);
    }
  }

  @Test
  void whatCouldNotBeSentIsNotApplied() {
    try (RemoteStore store = store(false)) {
      dropping.close();
      assertThat(ask(store.leases(), acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED));
    }
  }

  /**
   * A rate limiter before the server, as the threat model recommends, refuses only for the moment.
   */
  @Test
  void tooManyAtTheMomentIsNoRefusalOfTheCommand() throws IOException {
    HttpServer limiter =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    limiter.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("GET")) {
            byte[] passedOn =
                server
                    .address()
                    .resolve(exchange.getRequestURI())
                    .toURL()
                    .openStream()
                    .readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, passedOn.length);
            exchange.getResponseBody().write(passedOn);
          } else {
            exchange.sendResponseHeaders(429, -1);
          }
          exchange.close();
        });
    limiter.start();
    String address = "http://localhost:" + limiter.getAddress().getPort();
    try (RemoteStore alone = RemoteStore.at(address).open();
        RemoteStore both = RemoteStore.at(address, server.address().toString()).open()) {
      assertThat(ask(alone.leases(), acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED));
      assertThat(ask(both.leases(), acquire(me))).isInstanceOf(Outcome.Granted.class);
    } finally {
      limiter.stop(0);
    }
  }

  @Test
  void anAdvanceIsNeverSentTwice() {
    try (RemoteStore store = store(true)) {
      var advancing = store.leases().advance(Advance.above(0)).toCompletableFuture();
      assertThat(advancing.handle((outcome, failure) -> failure).join())
          .isInstanceOf(CompletionException.class);
      assertThat(dropping.dropped).hasValue(1);
    }
  }
}
