package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A grant whose caller has gone is abandoned, so that others can acquire the key. */
@Timeout(120)
class DepartedTest {
  private final HoldingBack store = new HoldingBack();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());
  private final Caller other = new Caller(server.address());

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  /** Grants at once, and answers only when the test lets it. */
  private final class HoldingBack extends ForwardingStore {
    private final CountDownLatch granted = new CountDownLatch(1);
    private final CompletableFuture<Void> let = new CompletableFuture<>();

    HoldingBack() {
      super(new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE));
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      CompletionStage<List<Outcome>> outcomes = super.apply(batch);
      boolean ofTheOther =
          batch.stream()
              .anyMatch(
                  command ->
                      command instanceof Command.Acquire acquire
                          && acquire.instance().equals(other.instance));
      if (!ofTheOther) {
        return outcomes;
      }
      granted.countDown();
      return let.thenCompose(nothing -> outcomes);
    }
  }

  private static String acquire(int waitMillis) {
    return "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,~waitMs~:" + waitMillis + ",$}";
  }

  private static byte[] post(String body) {
    String head =
        "POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.US_ASCII);
  }

  private Socket ask(int waitMillis) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.getOutputStream().write(post(other.filled(acquire(waitMillis))));
    return socket;
  }

  private static void awaitWaiting(Caller caller, int count) {
    String line = "leasehold_requests{state=\"waiting\"} " + count + ".0";
    while (!caller.get("/metrics").text().contains(line)) {
      Thread.onSpinWait();
    }
  }

  /** The key becomes free before the ttl of the grant is over. */
  private void isFree() {
    assertThat(me.post("/v1/leases/acquire", acquire(10_000)).outcome()).isEqualTo("granted");
  }

  @Test
  void aGrantToAClientThatHasGoneWhileItWaitedIsGivenUp() throws Exception {
    Socket socket = ask(60_000);
    store.granted.await();
    socket.close();
    awaitWaiting(me, 0);
    store.let.complete(null);
    isFree();
  }

  @Test
  void whatIsGrantedAndCannotBeToldIsGivenUp() throws Exception {
    Socket socket = ask(0);
    store.granted.await();
    socket.setSoLinger(true, 0); // the answer fails, and is not just unread
    socket.close();
    store.let.complete(null);
    isFree();
  }

  /**
   * Another server may have answered the sender's repeat, and the sender trusts that answer at
   * once.
   */
  @Test
  void whatIsGrantedToANamedRequestIsLeftToItsRepeat() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    String named = acquire(0).replace("~key~", "~requestId~:~r1~,~key~");
    socket.getOutputStream().write(post(other.filled(named)));
    store.granted.await();
    socket.setSoLinger(true, 0);
    socket.close();
    store.let.complete(null);
    server.close(); // after it has tried to answer
    var reading = store.read(new LeaseKey("lock/a")).toCompletableFuture().join().orElseThrow();
    assertThat(reading.record().currentGrant()).isPresent();
  }

  /**
   * One client closes its TLS connection properly; the other disappears like a process that dies.
   */
  @Test
  @Timeout(50) // before the wait ends by itself
  void aClientThatGoesIsMissedOverTlsToo(@TempDir Path folder) throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    SSLContext trusting = trusting(own);
    try (LeaseholdServer secure =
        LeaseholdServer.on(store).tls(own.certificate(), own.key()).start()) {
      int port = secure.address().getPort();
      Caller first =
          new Caller(
              URI.create("https://localhost:" + port),
              HttpClient.newBuilder().sslContext(trusting).build());
      first.acquire("lock/a");
      for (boolean politely : List.of(true, false)) {
        Socket below = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket above =
            (SSLSocket) trusting.getSocketFactory().createSocket(below, "localhost", port, false);
        above.getOutputStream().write(post(me.filled(acquire(60_000))));
        awaitWaiting(first, 1);
        if (politely) {
          above.close();
        }
        below.close();
        awaitWaiting(first, 0);
      }
    }
  }

  private static SSLContext trusting(Certificates own)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("own", own.made().getCertificate("a"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
