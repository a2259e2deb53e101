package dev.leasehold.remote;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.remote.api.StoreApi;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.StoreFacts;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** Settings of a {@link RemoteStore}. */
public final class RemoteStoreBuilder {
  /** Only numeric addresses, because a host name may begin like one. */
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");

  private final List<URI> addresses;
  private Optional<String> apiKey = Optional.empty();
  private Optional<Path> trusted = Optional.empty();
  private Duration answerWithin = AnswerTimes.SERVER;

  RemoteStoreBuilder(List<String> addresses) {
    if (addresses.isEmpty()) {
      throw new IllFormedException("at least one server is needed");
    }
    this.addresses = addresses.stream().map(RemoteStoreBuilder::address).toList();
  }

  private static URI address(String text) {
    String bare = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    try {
      URI uri = new URI(bare);
      boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null;
      if (known && plain && uri.getHost() != null && uri.getRawUserInfo() == null) {
        return uri;
      }
      throw notAnAddress(text);
    } catch (URISyntaxException e) {
      throw notAnAddress(text);
    }
  }

  private static IllFormedException notAnAddress(String text) {
    return new IllFormedException(
        "a server is written http://HOST:PORT or https://HOST:PORT, not '" + text + "'");
  }

  /** The API key that identifies this client to the server. */
  public RemoteStoreBuilder apiKey(String key) {
    apiKey = Optional.of(key);
    return this;
  }

  /**
   * Trusts only servers with these certificates (a PEM file), instead of the certificates in the
   * JDK.
   */
  public RemoteStoreBuilder trust(Path certificates) {
    trusted = Optional.of(certificates);
    return this;
  }

  /** How long a server may take to answer before the next one is asked; 5.5 s by default. */
  public RemoteStoreBuilder answerWithin(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllFormedException("a server needs some time to answer");
    }
    answerWithin = time;
    return this;
  }

  /**
   * Reads the bounds of the store from a server before it returns.
   *
   * @throws RemoteStoreException if no server answers, or if the server that answers refuses
   */
  public RemoteStore open() {
    requireSafety();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Servers.CONNECT_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER);
    trusted.map(TrustedCertificates::context).ifPresent(client::sslContext);
    Servers servers =
        new Servers(addresses, apiKey, client.build(), Servers.Timeouts.of(answerWithin));
    boolean opened = false;
    try {
      Limits limits =
          StoreFacts.readLimits(servers.ask(Request.get(StoreApi.FACTS.path())).orThrow());
      RemoteStore store = new RemoteStore(servers, limits, threads);
      opened = true;
      return store;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RemoteStoreException.unreachable("interrupted while a server was asked");
    } catch (BadJsonException e) {
      throw RemoteStoreException.senseless(servers, e);
    } finally {
      if (!opened) {
        threads.shutdownNow();
        servers.close();
      }
    }
  }

  /**
   * Refuses to send an API key without encryption, because any reader of the network could use it.
   */
  private void requireSafety() {
    for (URI address : addresses) {
      if (apiKey.isPresent() && address.getScheme().equals("http") && !isLoopback(address)) {
        throw new IllFormedException(
            "an API key is sent over https, or to a server on this machine, and not to " + address);
      }
    }
  }

  private static boolean isLoopback(URI address) {
    String host = address.getHost();
    return host.equals("localhost") || host.equals("[::1]") || LOOPBACK.matcher(host).matches();
  }
}
