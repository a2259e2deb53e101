package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.memory.MemoryObjectStore;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.ObjectApi;
import dev.leasehold.remote.wire.Changes;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The count of readers of a type, from when a request is admitted until its stream starts. */
@Timeout(120)
class TopicWatchTest {
  private final MemoryLeaseStore leases =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final ObjectStore sound = new MemoryObjectStore(leases);
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final TopicWatch<ObjectChange> watch =
      new TopicWatch<>(
          counted()::watch, Changes.OF_OBJECTS, new Streams(TopicWatch.MAX_TOPICS + 1));
  private final Server server = new Server(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ObjectStore counted() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("watch");
              Subscription subscription = (Subscription) method.invoke(sound, arguments);
              opened.incrementAndGet();
              return (Subscription)
                  () -> {
                    closed.incrementAndGet();
                    subscription.close();
                  };
            });
  }

  @BeforeEach
  void start() throws Exception {
    Gatekeeper gatekeeper = new Gatekeeper(new MemoryApiKeys(), false, Ticker.system());
    RequestDispatcher.AccessRules access =
        new RequestDispatcher.AccessRules(gatekeeper, HostRules.loopback(), Ticker.system());
    Route letIn = Route.of(ObjectApi.ALL, this::letIn);
    server.setHandler(new RequestDispatcher(access, List.of(letIn), RequestsFixture.REPORTS));
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    client.shutdownNow();
    server.stop();
    watch.close();
    leases.close();
  }

  /** Admits a reader whose stream has not begun yet. */
  private ApiResponse letIn(Call call) {
    return switch (watch.watch(call, call.parameter("type").orElseThrow())) {
      case ApiResponse.Stream stream -> ApiResponse.text("text/plain", stream.type());
      case ApiResponse.Whole whole -> whole;
      case ApiResponse.ClientGone gone -> gone;
    };
  }

  private HttpResponse<String> come(String type) throws Exception {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    URI uri = URI.create("http://localhost:" + port + "/v1/objects?type=" + type);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Otherwise the watch that it opens would stay open as long as the store. */
  @Test
  void whoComesWhileTheServerStopsIsSentToAnother() throws Exception {
    assertThat(come("a").statusCode()).isEqualTo(200);
    watch.close();
    HttpResponse<String> late = come("a");
    assertThat(late.statusCode()).isEqualTo(503);
    assertThat(late.body()).contains("about to stop");
    assertThat(opened).hasValue(1);
    assertThat(closed).hasValue(1);
  }

  @Test
  void noClientThatWasLetInMakesRoomForAnother() throws Exception {
    for (int i = 0; i < TopicWatch.MAX_TOPICS; i++) {
      assertThat(come("t" + i).statusCode()).isEqualTo(200);
    }
    assertThat(come("more").statusCode()).isEqualTo(429);
    assertThat(closed).hasValue(0);
    assertThat(come("t0").statusCode()).isEqualTo(200);
    assertThat(opened).hasValue(TopicWatch.MAX_TOPICS);
  }

  /** A request that is refused for the limit of streams reads nothing. */
  @Test
  void whoIsNotLetInDoesNotCount() throws Exception {
    for (int i = 0; i <= TopicWatch.MAX_TOPICS; i++) {
      assertThat(come("same").statusCode()).isEqualTo(200);
    }
    assertThat(come("other").statusCode()).isEqualTo(429);
    assertThat(watch.readers("same")).isEqualTo(TopicWatch.MAX_TOPICS + 1);
    assertThat(watch.readers("other")).isZero();
  }
}
