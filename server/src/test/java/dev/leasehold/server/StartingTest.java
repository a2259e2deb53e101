package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.Permission;
import dev.leasehold.server.security.StoreApiKeys;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.KeyRows;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a server may listen, with keys in the store and TLS from files. */
class StartingTest {
  @TempDir private Path folder;
  private JdbcStore store;

  @BeforeEach
  void open() {
    store = JdbcStore.at("sqlite:" + folder.resolve("l.db")).migrate().open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void elsewhereThanOnLoopbackItNeedsTlsAndKeys() {
    assertThatThrownBy(() -> LeaseholdServer.on(store).host("0.0.0.0").start())
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("needs TLS")
        .hasMessageContaining("--tls-certificate FILE --tls-key FILE")
        .hasMessageContaining("API keys")
        .hasMessageContaining("--require-keys");
    assertThatThrownBy(() -> LeaseholdServer.on(store).host("0.0.0.0").requireKeys().start())
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("--tls-key")
        .hasMessageNotContaining("--require-keys");
  }

  @Test
  void tlsAloneIsNotEnough() throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    assertThatThrownBy(
            () ->
                LeaseholdServer.on(store).host("0.0.0.0").tls(own.certificate(), own.key()).start())
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("--require-keys")
        .hasMessageNotContaining("--tls");
  }

  @Test
  void aPortThatIsTakenIsSaidSo() {
    try (LeaseholdServer first = LeaseholdServer.on(store).start()) {
      int port = first.address().getPort();
      assertThatThrownBy(() -> LeaseholdServer.on(store).port(port).start())
          .isInstanceOf(IllFormedException.class)
          .hasMessageContaining("is the port taken?");
    }
  }

  @Test
  void withTlsAndAKeyFromTheStoreItListensAnywhere() throws Exception {
    Certificates own = Certificates.of(folder, "localhost");
    ApiKey.Made key = ApiKey.make("ci", Set.of(Permission.READ), List.of("lock/", "leader/"));
    StoreApiKeys keys = new StoreApiKeys(store.part(KeyRows.class).orElseThrow());
    keys.add(key.key()).toCompletableFuture().join();
    try (LeaseholdServer server =
        LeaseholdServer.on(store)
            .host("0.0.0.0")
            .tls(own.certificate(), own.key())
            .requireKeys()
            .start()) {
      HttpClient client = HttpClient.newBuilder().sslContext(trusting(own.made())).build();
      String address = "https://localhost:" + server.address().getPort();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(java.net.URI.create(address + "/v1/leases?prefix=lock/"));
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(401);
      request.header("Authorization", "Bearer " + key.text());
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
    assertThat(keys.list().toCompletableFuture().join()).containsExactly(key.key());
    assertThat(keys.revoke(key.key().id()).toCompletableFuture().join()).isTrue();
    assertThat(keys.find(key.key().id()).toCompletableFuture().join()).isEmpty();
  }

  private static SSLContext trusting(KeyStore made) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", made.getCertificate("a"));
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  @Test
  void anotherAddressOfLoopbackIsItsOwnName() {
    try (LeaseholdServer server = LeaseholdServer.on(store).host("127.0.0.2").start()) {
      assertThat(new Caller(server.address()).get("/healthz").status()).isEqualTo(200);
    }
  }
}
