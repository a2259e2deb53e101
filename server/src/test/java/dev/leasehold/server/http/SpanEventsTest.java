package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.testkit.model.ForwardingStore;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What happens to leases during a request stands on its span. */
@Isolated // every server of the process reports to the process's OpenTelemetry
@Timeout(60)
class SpanEventsTest {
  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Instance instance = Instance.random();
  private final Renewals store = new Renewals();

  /** Fails the next renewals if the test says so. */
  private static final class Renewals extends ForwardingStore {
    private final AtomicBoolean failNext = new AtomicBoolean();

    Renewals() {
      super(new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE));
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      boolean fails =
          batch.getFirst() instanceof Command.Renew && failNext.compareAndSet(true, false);
      return fails
          ? CompletableFuture.completedFuture(
              List.of(new Outcome.Failed(Certainty.NOT_APPLIED, "for this test")))
          : super.apply(batch);
    }
  }

  @BeforeEach
  void installSdk() {
    OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exported))
                .build())
        .buildAndRegisterGlobal();
  }

  @AfterEach
  void close() {
    GlobalOpenTelemetry.resetForTest();
    client.close();
    store.close();
  }

  private CompletableFuture<String> post(URI server, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    return client.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
  }

  private static String acquire(Instance by, int waitMillis) {
    return "{'key':'lock/a','holder':'h','ttlMs':30000,'waitMs':%d,'instance':'%s'}"
        .formatted(waitMillis, by.secret());
  }

  private static String token(String granted) {
    return granted.replaceAll("(?s).*\"token\"\\s*:\\s*(\\d+).*", "$1");
  }

  private String renewal(String token) {
    return "{'instance':'%s','leases':[{'key':'lock/a','token':%s}]}"
        .formatted(instance.secret(), token);
  }

  /** The events of the spans of a route, by their names. */
  private Map<String, Attributes> events(String route) {
    return exported.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals("POST " + route))
        .map(SpanData::getEvents)
        .flatMap(List::stream)
        .collect(
            Collectors.toMap(EventData::getName, EventData::getAttributes, (one, same) -> same));
  }

  @Test
  void aWaiterSaysWhyItWaits() {
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      URI at = server.address();
      String token = token(post(at, "/v1/leases/acquire", acquire(instance, 0)).join());
      CompletableFuture<String> later =
          post(at, "/v1/leases/acquire", acquire(Instance.random(), 60_000));
      String waits = "leasehold_waits_total{cause=\"HELD\"}";
      while (!get(at, "/metrics").contains(waits)) {
        Thread.onSpinWait();
      }
      post(
              at,
              "/v1/leases/release",
              "{'key':'lock/a','token':%s,'instance':'%s'}".formatted(token, instance.secret()))
          .join();
      assertThat(later.join()).contains("granted");
    }
    assertThat(events("/v1/leases/acquire"))
        .isEqualTo(Map.of("waiting", Attributes.of(RequestSpans.CAUSE, "HELD")));
  }

  private String get(URI server, String path) {
    HttpRequest request = HttpRequest.newBuilder(server.resolve(path)).build();
    return client.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body).join();
  }

  @Test
  void renewalsSayThatTheyAreLateOrLost() {
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      URI at = server.address();
      String token = token(post(at, "/v1/leases/acquire", acquire(instance, 0)).join());
      store.failNext.set(true);
      post(at, "/v1/leases/renew", renewal(token)).join();
      assertThat(events("/v1/leases/renew")).isEmpty();
      post(at, "/v1/leases/renew", renewal(token)).join();
      post(at, "/v1/leases/renew", renewal("7")).join();
    }
    assertThat(events("/v1/leases/renew"))
        .isEqualTo(
            Map.of(
                "renewed late", Attributes.empty(),
                "lost", Attributes.of(RequestSpans.REASON, "Superseded")));
  }

  @Test
  void aRefusalIsNotedWithoutItsTarget() {
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      post(server.address(), "/v1/fences/disk/admit", "{'key':'lock/a','token':7}").join();
    }
    assertThat(events("/v1/fences/{target}/admit"))
        .isEqualTo(Map.of("refused", Attributes.empty()));
  }
}
