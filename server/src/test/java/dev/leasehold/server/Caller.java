package dev.leasehold.server;

import dev.leasehold.kernel.model.Instance;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An HTTP client that writes JSON with ~ for its quotes. */
final class Caller {
  private final HttpClient client;
  private final URI server;
  final Instance instance = Instance.random();
  private Optional<String> key = Optional.empty();

  Caller(URI server) {
    this(server, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
  }

  Caller(URI server, HttpClient client) {
    this.server = server;
    this.client = client;
  }

  Caller with(String apiKey) {
    key = Optional.of(apiKey);
    return this;
  }

  /** The answer. */
  record Reply(int status, String type, String text, HttpResponse<String> whole) {
    Members json() {
      return Json.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    String outcome() {
      return json().text("outcome");
    }

    long token() {
      return json().number("token");
    }
  }

  /** Adds the key of the caller's instance to a body that contains a $. */
  Reply post(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(filled(body))));
  }

  CompletableFuture<Reply> postLater(String path, String body) {
    HttpRequest request = request(path).POST(BodyPublishers.ofString(filled(body))).build();
    return client.sendAsync(request, BodyHandlers.ofString()).thenApply(Caller::reply);
  }

  String filled(String body) {
    return body.replace("$", "~instance~:~" + instance.secret() + "~").replace('~', '"');
  }

  Reply get(String path) {
    return send(request(path).GET());
  }

  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).header("Content-Type", "application/json");
    key.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    return request;
  }

  Reply send(HttpRequest.Builder request) {
    try {
      return reply(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static Reply reply(HttpResponse<String> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    return new Reply(response.statusCode(), type, response.body(), response);
  }

  Reply acquire(String name) {
    return post("/v1/leases/acquire", "{~key~:~" + name + "~,~holder~:~h~,~ttlMs~:30000,$}");
  }

  Reply release(String name, long token) {
    return post("/v1/leases/release", "{~key~:~" + name + "~,~token~:" + token + ",$}");
  }
}
