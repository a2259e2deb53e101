package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of events when their server is restarted. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // JUnit opens them before each test
class ReconnectTest {
  @TempDir private Path folder;
  private JdbcStore store;
  private LeaseholdServer server;
  private Caller me;

  @BeforeEach
  void open() {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
    start(0);
  }

  private void start(int port) {
    server = LeaseholdServer.on(store).port(port).start();
    me = new Caller(server.address());
  }

  private void restart() {
    int port = server.address().getPort();
    server.close();
    start(port);
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  /** The notifications of a listener, as words: the name of the thing, or reset. */
  private record Ear<C>(BlockingQueue<String> told, Function<C, String> naming)
      implements ChangeListener<C> {
    Ear(Function<C, String> naming) {
      this(new LinkedBlockingQueue<>(), naming);
    }

    @Override
    public void changed(C change) {
      told.add(naming.apply(change));
    }

    @Override
    public void reset() {
      told.add("reset");
    }

    void await(String word) throws InterruptedException {
      String next = "";
      while (!next.equals(word)) {
        next = String.valueOf(told.poll(60, TimeUnit.SECONDS));
        assertThat(next).as("told before %s", word).isNotEqualTo("null");
      }
    }
  }

  @Test
  void aListenerToLeasesIsToldToReadAgainAndThenOfWhatHappens() throws Exception {
    Ear<LeaseChange> ear = new Ear<>(change -> change.key().text());
    try (RemoteStore client = RemoteStore.at(server.address().toString()).open();
        Subscription watch = client.leases().watch("lock/", ear)) {
      me.acquire("lock/a");
      ear.await("lock/a");
      restart();
      ear.await("reset");
      me.acquire("lock/b");
      ear.await("lock/b");
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void soIsAListenerToObjects() throws Exception {
    Ear<ObjectChange> ear = new Ear<>(change -> change.name().toString());
    VersionedObjects objects = VersionedObjects.on(store.objects());
    try (RemoteStore client = RemoteStore.at(server.address().toString()).open();
        Subscription watch = client.objects().watch("sandbox", ear)) {
      objects.put(ObjectName.of("sandbox", "a"), Payload.EMPTY);
      ear.await("sandbox/a");
      restart();
      ear.await("reset");
      objects.put(ObjectName.of("sandbox", "b"), Payload.EMPTY);
      ear.await("sandbox/b");
      assertThat(watch).isNotNull();
    }
  }

  /** A reader of events as they come over the wire. */
  private final class Reader implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader lines;

    Reader(String path, String lastId) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
      String last = lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n";
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + last + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String unused = next(": watching"::equals);
    }

    String next(Predicate<String> wanted) throws IOException {
      String line = lines.readLine();
      while (!wanted.test(line)) {
        line = lines.readLine();
      }
      return line;
    }

    String event() throws IOException {
      return next(line -> line.startsWith("event: ")).substring("event: ".length());
    }

    String id() throws IOException {
      return next(line -> line.startsWith("id: ")).substring("id: ".length());
    }

    String data() throws IOException {
      return next(line -> line.startsWith("data: ")).substring("data: ".length());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void whoComesBackToALeaseStreamAfterARestartIsToldAllThatIsThere() throws IOException {
    String id;
    try (Reader reader = new Reader("/v1/leases/watch?prefix=lock/", "")) {
      me.acquire("lock/a");
      id = reader.id();
    }
    restart();
    me.acquire("lock/b");
    try (Reader reader = new Reader("/v1/leases/watch?prefix=lock/", id)) {
      assertThat(reader.event()).isEqualTo("reset");
      assertThat(reader.event()).isEqualTo("granted");
      assertThat(reader.data()).contains("lock/a");
      assertThat(reader.data()).contains("lock/b");
    }
  }

  @Test
  void whoComesBackToAnObjectStreamGoesOnWhereItWasOrIsToldToListAgain() throws IOException {
    VersionedObjects objects = VersionedObjects.on(store.objects());
    String path = "/v1/objects?type=sandbox&watch=true";
    String id;
    try (Reader reader = new Reader(path, "")) {
      objects.put(ObjectName.of("sandbox", "a"), Payload.EMPTY);
      assertThat(reader.event()).isEqualTo("written");
      id = reader.id();
      assertThat(reader.data()).contains("\"id\":\"a\"");
    }
    objects.put(ObjectName.of("other", "x"), Payload.EMPTY);
    objects.delete(ObjectName.of("sandbox", "a"));
    try (Reader reader = new Reader(path, id)) {
      assertThat(reader.event()).isEqualTo("deleted");
    }
    restart();
    try (Reader reader = new Reader(path, id)) {
      assertThat(reader.event()).isEqualTo("reset");
      objects.put(ObjectName.of("sandbox", "b"), Payload.EMPTY);
      assertThat(reader.event()).isEqualTo("written");
    }
  }
}
