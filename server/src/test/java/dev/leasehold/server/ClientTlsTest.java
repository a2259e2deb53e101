package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.RemoteStore;
import dev.leasehold.remote.RemoteStoreBuilder;
import dev.leasehold.remote.RemoteStoreException;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which certificates make a client trust a server. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(120)
class ClientTlsTest {
  @TempDir private Path folder;

  private final Store store = MemoryStore.open();
  private final MemoryApiKeys keys = new MemoryApiKeys();
  private final ApiKey.Made key = ApiKey.make("me", EnumSet.allOf(Permission.class), List.of(""));

  @AfterEach
  void close() {
    store.close();
  }

  private LeaseholdServer serve(Certificates own) {
    var unused = keys.add(key.key());
    return LeaseholdServer.on(store)
        .host("0.0.0.0")
        .tls(own.certificate(), own.key())
        .apiKeys(keys)
        .requireKeys()
        .start();
  }

  private RemoteStoreBuilder at(LeaseholdServer server) {
    return RemoteStore.at("https://localhost:" + server.address().getPort()).apiKey(key.text());
  }

  @Test
  void aServerIsKnownByTheCertificateInAFile() throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    try (LeaseholdServer server = serve(own);
        RemoteStore client = at(server).trust(own.certificate()).open();
        Leases leases = Leases.on(client).open()) {
      assertThat(leases.tryAcquire(LeaseRequest.of("lock/a")))
          .isInstanceOf(Acquisition.Acquired.class);
      assertThat(
              VersionedObjects.on(client.objects())
                  .create(ObjectName.of("sandbox", "a"), Payload.EMPTY))
          .isInstanceOf(ObjectOutcome.Created.class);
    }
  }

  @Test
  void aServerWithAnotherCertificateIsNotBelieved() throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    Certificates other = Certificates.of(Files.createDirectory(folder.resolve("x")), "localhost");
    try (LeaseholdServer server = serve(own)) {
      isNotBelieved(at(server).trust(other.certificate()), "is not trusted", "--trust FILE");
      isNotBelieved(at(server), "is not trusted", "--trust FILE");
    }
  }

  @Test
  void aServerWithACertificateForAnotherHostIsNotBelieved() throws Exception {
    Certificates elsewhere = Certificates.of(folder, "elsewhere.example");
    try (LeaseholdServer server = serve(elsewhere)) {
      isNotBelieved(at(server).trust(elsewhere.certificate()), "name matching localhost");
    }
  }

  /** The client sends nothing to the server, an API key least of all. */
  private static void isNotBelieved(RemoteStoreBuilder builder, String... said) {
    assertThatThrownBy(builder::open)
        .isInstanceOfSatisfying(
            RemoteStoreException.class, e -> assertThat(e.isUnreachable()).isTrue())
        .hasMessageContaining("it cannot be reached")
        .hasMessageContainingAll(said);
  }

  @Test
  void aClientThatSpeaksHttpToATlsPortOrTheOtherWayRoundIsToldSo() throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    try (LeaseholdServer server = serve(own);
        LeaseholdServer plain = LeaseholdServer.on(store).start()) {
      String tls = "localhost:" + server.address().getPort();
      assertThatThrownBy(RemoteStore.at("http://" + tls)::open)
          .hasMessageContaining("is it https://" + tls + "?");
      String http = "localhost:" + plain.address().getPort();
      assertThatThrownBy(RemoteStore.at("https://" + http)::open)
          .hasMessageContaining("is it http://" + http + "?");
    }
  }

  @Test
  void aFileWithoutACertificateIsSaidToBeOne() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.pem"));
    assertThatThrownBy(RemoteStore.at("https://localhost:1").trust(empty)::open)
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("no certificate");
    Path none = folder.resolve("none.pem");
    assertThatThrownBy(RemoteStore.at("https://localhost:1").trust(none)::open)
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"elsewhere.example", "127.elsewhere.example", "127.0.0.1.example"})
  void anApiKeyIsNotSentInTheClearToAnotherMachine(String host) {
    assertThatThrownBy(RemoteStore.at("http://" + host + ":7420").apiKey("k")::open)
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("https");
  }
}
