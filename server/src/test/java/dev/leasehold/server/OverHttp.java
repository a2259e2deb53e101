package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A client of a server. */
record OverHttp(Caller caller, Map<String, Long> tokens) implements Anna {
  private static final String ACQUIRE = "/v1/leases/acquire";

  OverHttp(Caller caller) {
    this(caller, new ConcurrentHashMap<>());
  }

  private void keep(String key, Caller.Reply reply) {
    if (reply.outcome().equals("granted")) {
      tokens.put(key, reply.token());
    }
  }

  private long token(String key) {
    return Objects.requireNonNull(tokens.get(key), key);
  }

  private static String body(String key, Duration ttl, Duration wait) {
    return "{~key~:~%s~,~holder~:~anna~,~ttlMs~:%d,~waitMs~:%d,$}"
        .formatted(key, ttl.toMillis(), wait.toMillis());
  }

  @Override
  public void acquire(String key, Duration ttl) {
    keep(key, caller.post(ACQUIRE, body(key, ttl, Duration.ZERO)));
  }

  @Override
  public Attempt acquireLater(String key) {
    String body = caller.filled(body(key, Duration.ofSeconds(30), Duration.ofMinutes(1)));
    HttpClient client = HttpClient.newHttpClient();
    CompletableFuture<HttpResponse<String>> sent =
        client.sendAsync(
            caller.request(ACQUIRE).POST(BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofString());
    return new Attempt() {
      @Override
      public void join() {
        keep(key, Caller.reply(sent.join()));
        client.close();
      }

      @Override
      public void giveUp() {
        client.shutdownNow();
      }
    };
  }

  @Override
  public void renew(String key, int times) {
    for (int i = 0; i < times; i++) {
      String lease = "{~key~:~%s~,~token~:%d}".formatted(key, token(key));
      caller.post("/v1/leases/renew", "{$,~leases~:[" + lease + "]}");
    }
  }

  @Override
  public void awaitNoTrust(String key) {
    // It has none.
  }

  @Override
  public void beRefused(String key) {
    String later = "{~key~:~%s~,~token~:%d,~holder~:~later~}".formatted(key, token(key));
    String earlier = "{~key~:~%s~,~token~:%d,~holder~:~anna~}".formatted(key, token(key) - 1);
    assertThat(caller.post("/v1/fences/disk/seal", later).status()).isEqualTo(200);
    assertThat(caller.post("/v1/fences/disk/admit", earlier).status()).isEqualTo(409);
  }

  @Override
  public void release(String key) {
    caller.release(key, token(key));
  }
}
