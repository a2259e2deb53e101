package dev.leasehold.examples.gateway;

import dev.leasehold.examples.gateway.Driver.State;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.http.FencedHttp;
import dev.leasehold.fence.http.FencedResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A client of the driver. Every change brings the claim of a term. */
final class DriverClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final FencedHttp fenced = new FencedHttp(http);
  private final URI address;
  private final String self;

  DriverClient(URI address, String self) {
    this.address = address;
    this.self = self;
  }

  /** The states of all sandboxes, by id. */
  Map<String, State> list() throws IOException {
    Map<String, State> backends = new HashMap<>();
    for (String line : get("").body().lines().toList()) {
      String[] parts = line.split(" ", -1);
      backends.put(parts[0], State.valueOf(parts[1]));
    }
    return backends;
  }

  /** The state of one sandbox; empty if the driver does not know it. */
  Optional<State> find(String id) throws IOException {
    HttpResponse<String> response = get(id);
    return response.statusCode() == 404
        ? Optional.empty()
        : Optional.of(State.valueOf(response.body()));
  }

  FencedResponse<String> provision(String id, String image, Claim claim)
      throws IOException, InterruptedException {
    return change(to("/changes/" + id).PUT(BodyPublishers.ofString(image)), claim);
  }

  FencedResponse<String> remove(String id, Claim claim) throws IOException, InterruptedException {
    return change(to("/changes/" + id).DELETE(), claim);
  }

  /** After this the driver refuses every change of an earlier term. */
  Admission seal(Claim claim) throws IOException, InterruptedException {
    return fenced.sealing(address.resolve("/seal")).seal(claim);
  }

  /**
   * A stream with a line for each change, which has the id, and an empty line from time to time.
   */
  InputStream events() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve("/events")).build();
    return http.send(request, BodyHandlers.ofInputStream()).body();
  }

  /**
   * An interrupt does not end this, only the timeout does: a step that has begun is completed, and
   * the targets decide by its claim whether it may still take effect.
   */
  private HttpResponse<String> get(String id) throws IOException {
    HttpResponse<String> response =
        http.sendAsync(to("/backends/" + id).build(), BodyHandlers.ofString()).join();
    if (response.statusCode() != 200 && response.statusCode() != 404) {
      throw new IOException("the driver answered " + response.statusCode());
    }
    return response;
  }

  private FencedResponse<String> change(HttpRequest.Builder request, Claim claim)
      throws IOException, InterruptedException {
    FencedResponse<String> answer = fenced.send(request.build(), claim, BodyHandlers.ofString());
    if (answer instanceof FencedResponse.Received<String>(var response)
        && response.statusCode() != 202) {
      throw new IOException("the driver answered " + response.statusCode());
    }
    return answer;
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(address.resolve(path))
        .timeout(TIMEOUT)
        .header("User-Agent", self);
  }
}
