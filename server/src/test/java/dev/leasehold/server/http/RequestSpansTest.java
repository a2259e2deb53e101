package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.ObserverDispatch;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.security.Permission;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Spans with an SDK, and no cost without one. */
@Isolated // every server of the process reports to the process's OpenTelemetry
@Timeout(60)
class RequestSpansTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final HttpClient client = HttpClient.newHttpClient();
  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final Instance instance = Instance.random();

  @AfterEach
  void close() {
    GlobalOpenTelemetry.resetForTest();
    client.close();
    store.close();
  }

  private void installSdk() {
    SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exported)).build();
    OpenTelemetrySdk.builder()
        .setTracerProvider(provider)
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .buildAndRegisterGlobal();
  }

  private HttpRequest.Builder request(LeaseholdServer server, String path) {
    return HttpRequest.newBuilder(server.address().resolve(path))
        .header("Content-Type", "application/json")
        .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01");
  }

  private int acquire(LeaseholdServer server) throws Exception {
    String body =
        "{'key':'lock/secret-name','holder':'h','ttlMs':30000,'instance':'%s'}"
            .formatted(instance.secret())
            .replace('\'', '"');
    return client
        .send(
            request(server, "/v1/leases/acquire").POST(BodyPublishers.ofString(body)).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private int get(LeaseholdServer server, String path) throws Exception {
    return client.send(request(server, path).build(), BodyHandlers.discarding()).statusCode();
  }

  @Test
  void aRequestIsASpanBelowItsCallers() throws Exception {
    installSdk();
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      assertThat(acquire(server)).isEqualTo(200);
    }
    SpanData span = exported.getFinishedSpanItems().getFirst();
    assertThat(span.getName()).isEqualTo("POST /v1/leases/acquire");
    assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(CALLER);
    assertThat(span.getAttributes().asMap())
        .isEqualTo(
            Map.of(
                RequestSpans.METHOD, "POST",
                RequestSpans.ROUTE, "/v1/leases/acquire",
                RequestSpans.STATUS, 200L,
                RequestSpans.OUTCOME, "granted",
                RequestSpans.KIND, "lock"));
  }

  @Test
  void whatIsInAnObjectIsNotNoted() throws Exception {
    installSdk();
    ApiResponse object = ApiResponse.json(out -> out.text("outcome", "hunter2"));
    try (LeaseholdServer server =
        LeaseholdServer.on(store)
            .route(Route.get("/v1/object", Permission.READ, call -> object))
            .start()) {
      assertThat(get(server, "/v1/object")).isEqualTo(200);
    }
    assertThat(exported.getFinishedSpanItems().getFirst().getAttributes().asMap())
        .doesNotContainKey(RequestSpans.OUTCOME);
  }

  /** What came of it is known where it is decided; no answer is read for it. */
  @Test
  void refusalsAreOutcomesToo() throws Exception {
    installSdk();
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      String claim = "{'key':'lock/secret-name','token':7}".replace('\'', '"');
      client.send(
          request(server, "/v1/fences/disk/admit").POST(BodyPublishers.ofString(claim)).build(),
          BodyHandlers.discarding());
    }
    assertThat(exported.getFinishedSpanItems().getFirst().getAttributes().asMap())
        .containsEntry(RequestSpans.OUTCOME, "unissued")
        .containsEntry(RequestSpans.KIND, "lock");
  }

  @Test
  void outcomesAndKindsOfOtherRequests() throws Exception {
    installSdk();
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      acquire(server);
      instanceOfAnother(server);
      get(server, "/v1/leases/lock/secret-name");
      get(server, "/nowhere/secret-name");
      store.close();
      get(server, "/metrics");
    }
    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactly(
            "POST /v1/leases/acquire",
            "POST /v1/leases/acquire",
            "GET /v1/leases/{key*}",
            "GET",
            "GET /metrics");
    assertThat(spans.get(1).getAttributes().get(RequestSpans.OUTCOME)).isEqualTo("held");
    assertThat(spans.get(2).getAttributes().get(RequestSpans.KIND)).isEqualTo("lock");
    assertThat(spans.get(3).getAttributes().get(RequestSpans.STATUS)).isEqualTo(404);
    assertThat(spans)
        .extracting(span -> span.getStatus().getStatusCode())
        .containsOnly(StatusCode.UNSET);
    assertThat(spans)
        .allSatisfy(
            span ->
                assertThat(span.toString())
                    .doesNotContain(instance.secret(), instance.id().text(), "secret-name"));
  }

  private void instanceOfAnother(LeaseholdServer server) throws Exception {
    String body =
        "{'key':'lock/secret-name','holder':'h','ttlMs':30000,'instance':'%s'}"
            .formatted(Instance.random().secret())
            .replace('\'', '"');
    int status =
        client
            .send(
                request(server, "/v1/leases/acquire").POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.discarding())
            .statusCode();
    assertThat(status).isEqualTo(409);
  }

  @Test
  void withoutAnSdkRequestsAreAnsweredAndAnSdkCanStillBeSet() throws Exception {
    try (LeaseholdServer server = LeaseholdServer.on(store).start()) {
      assertThat(acquire(server)).isEqualTo(200);
      assertThat(GlobalOpenTelemetry.isSet()).isFalse();
      installSdk();
      assertThat(get(server, "/healthz")).isEqualTo(200);
    }
    assertThat(exported.getFinishedSpanItems()).isEmpty();
  }

  /**
   * The JVM counts the bytes, so no time is measured: a byte for each request would add up to
   * thousands.
   */
  @Test
  void withoutAnSdkNothingIsAllocated() {
    RequestSpans spans = RequestSpans.ofProcess();
    Route route = Route.open("/healthz", call -> ApiResponse.text("text/plain", ""));
    LeaseKey key = new LeaseKey("lock/a");
    ObserverDispatch observers = ObserverDispatch.to(LeaseObserver.NONE, Runnable::run);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 10_000; i++) {
      spans.routed(route);
      RequestSpans.about(key);
      assert RequestSpans.observing(observers) == observers;
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      spans.routed(route);
      RequestSpans.about(key);
      assert RequestSpans.observing(observers) == observers;
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }
}
