package dev.leasehold.server.http;

import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.api.ServerApi;
import dev.leasehold.remote.wire.Readings.State;
import dev.leasehold.server.ops.LeaseCounts;
import dev.leasehold.server.security.Permission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The pages for people: {@code /}, and the API document at {@code /v1/openapi.json}. */
public final class Pages {
  private static final String HOME = resource("home.html");

  private final LeaseCounts counts;
  private final boolean countsForAll;

  /**
   * If API keys are required, the page shows the number of leases only to callers that have one.
   */
  public Pages(LeaseCounts counts, boolean countsForAll) {
    this.counts = counts;
    this.countsForAll = countsForAll;
  }

  /** These routes; the API document describes them and all others. */
  public List<Route> routes(List<Route> others) {
    List<Operation> all = new ArrayList<>(others.stream().map(Route::operation).toList());
    all.addAll(List.of(ServerApi.HOME, ServerApi.DOCUMENT));
    byte[] document = ApiDocument.of(all);
    return List.of(
        Route.of(ServerApi.HOME, this::home),
        Route.of(
            ServerApi.DOCUMENT,
            call -> new ApiResponse.Whole(Status.OK, ApiResponse.JSON, document)));
  }

  private ApiResponse home(Call call) throws InterruptedException {
    String held = countsForAll && call.principal().may(Permission.READ) ? figures(call) : "";
    return ApiResponse.text("text/html; charset=utf-8", HOME.replace("<!-- figures -->", held));
  }

  private String figures(Call call) throws InterruptedException {
    try {
      Map<State, Integer> found = call.await(counts.look());
      StringBuilder text = new StringBuilder("<p>On record now: ");
      for (State state : State.values()) {
        text.append(found.getOrDefault(state, 0)).append(' ').append(state.word()).append(", ");
      }
      return text.substring(0, text.length() - 2) + ".</p>";
    } catch (ProblemException e) {
      return "<p>The store does not answer now.</p>";
    }
  }

  private static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(Pages.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
