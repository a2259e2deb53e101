package dev.leasehold.fence.http;

import static dev.leasehold.fence.http.Service.KEY;
import static dev.leasehold.fence.http.Service.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.Guarantee.Durability;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.files.GenerationFile;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

@Timeout(60)
class FencedRequestsTest {
  private final RefusalTrail trail = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  private final MemoryFence fence = new MemoryFence("orders", trail);
  private final List<Claim> changes = new CopyOnWriteArrayList<>();

  private static void answer(HttpExchange exchange, String text) throws IOException {
    Problem.send(exchange, 200, "text/plain", text);
  }

  private HttpHandler changing() {
    return exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      changes.add(FenceFilter.claimOf(exchange));
      answer(exchange, "got " + body);
    };
  }

  private static FencedResponse<String> stale(long current) {
    return new FencedResponse.Refused<>(new Admission.Stale(new Token(current)));
  }

  private static void isDone(FencedResponse<String> answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            FencedResponse.Received.class,
            received -> {
              assertThat(received.response().statusCode()).isEqualTo(200);
              assertThat(received.response().body()).isEqualTo("got body");
            });
  }

  @Test
  void the_handler_is_told_the_claim_and_a_stale_one_does_not_reach_it() throws Exception {
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), changing())) {
      isDone(service.change(5));
      assertThat(service.fenced().sealing(service.at("/seal")).seal(claim(6)))
          .isEqualTo(Admission.ADMITTED);
      assertThat(service.change(5)).isEqualTo(stale(6));
      assertThat(service.fenced().sealing(service.at("/seal")).seal(claim(5)))
          .isEqualTo(new Admission.Stale(new Token(6)));
      isDone(service.change(6));
    }
    assertThat(changes)
        .containsExactly(claim(5).by("worker 7 in Z?rich"), claim(6).by("worker 7 in Z?rich"));
    assertThat(trail.total()).isEqualTo(2);
  }

  @Test
  void a_refusal_says_what_it_is_to_every_client_that_reads_it() throws Exception {
    try (Service service = new Service(fence, FenceFilter.advising(fence, KEY), changing())) {
      assertThat(fence.seal(claim(6))).isEqualTo(Admission.ADMITTED);
      HttpResponse<String> response =
          service.bare(FencedHttp.under(claim(5), service.request("/change")));
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.headers().firstValue("Content-Type"))
          .contains("application/problem+json");
      assertThat(response.body())
          .isEqualTo(
              "{\"type\":\"about:blank\",\"title\":\"Token refused\",\"status\":409,"
                  + "\"detail\":\"token 5 of lock/a was followed by another; its bearer is"
                  + " no longer the holder and must stop\",\"outcome\":\"stale\","
                  + "\"target\":\"orders\",\"key\":\"lock/a\",\"token\":5,\"current\":6}");
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void an_invented_token_is_told_from_a_stale_one() throws Exception {
    MemoryFence seeing =
        new MemoryFence("orders", trail, (key, token) -> new IssuedTokens.Never(Optional.empty()));
    try (Service service = new Service(seeing, FenceFilter.around(seeing, KEY), changing())) {
      assertThat(service.change(5))
          .isEqualTo(new FencedResponse.Refused<>(new Admission.Unissued(Optional.empty())));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Leasehold-Other, x, the request has no Leasehold-Key",
    "Leasehold-Key, lock/a, the request has no Leasehold-Token",
    "Leasehold-Key, lock, not of the form kind/name"
  })
  void a_request_without_a_usable_claim_is_told_what_it_needs(
      String name, String value, String detail) throws Exception {
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), changing())) {
      for (String path : List.of("/change", "/seal")) {
        HttpRequest request =
            HttpRequest.newBuilder(service.request(path), (n, v) -> true)
                .header(name, value)
                .build();
        HttpResponse<String> response = service.bare(request);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(detail);
      }
    }
    assertThat(changes).isEmpty();
  }

  private static final Claim FOREIGN = Claim.of(LeaseKey.of("lock", "b"), new Token(5));

  /** The other key has no mark, so it would admit any token. */
  @Test
  void the_service_and_not_the_request_says_which_key_counts() throws Exception {
    List<FenceFilter> filters =
        List.of(
            FenceFilter.around(fence, KEY),
            FenceFilter.advising(fence, KEY),
            FenceFilter.handlerChangesThrough(fence, KEY),
            FenceFilter.around(fence, exchange -> KEY));
    for (FenceFilter filter : filters) {
      try (Service service = new Service(fence, filter, changing())) {
        for (String path : List.of("/change", "/seal")) {
          HttpResponse<String> response =
              service.bare(FencedHttp.under(FOREIGN, service.request(path)));
          assertThat(response.statusCode()).isEqualTo(400);
          assertThat(response.headers().firstValue("Content-Type"))
              .contains("application/problem+json");
          assertThat(response.body())
              .contains(
                  "this is changed under the lease lock/a, and the request brings a token of"
                      + " lock/b");
        }
      }
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void the_key_may_depend_on_the_request() throws Exception {
    FenceFilter filter =
        FenceFilter.around(
            fence,
            exchange -> {
              String path = exchange.getRequestURI().getPath();
              return LeaseKey.of("lock", path.substring("/change/".length()));
            });
    try (Service service = new Service(fence, filter, changing())) {
      HttpRequest request = FencedHttp.under(FOREIGN, service.request("/change/b"));
      assertThat(service.bare(request).statusCode()).isEqualTo(200);
      HttpRequest other = FencedHttp.under(FOREIGN, service.request("/change/a"));
      assertThat(service.bare(other).statusCode()).isEqualTo(400);
      HttpRequest none = FencedHttp.under(FOREIGN, service.request("/change/"));
      assertThat(service.bare(none).statusCode()).isEqualTo(400);
    }
    assertThat(changes).containsExactly(FOREIGN);
  }

  @Test
  void a_fence_of_another_key_is_answered_and_not_hung_up_on(@TempDir Path folder)
      throws Exception {
    GenerationFile file =
        GenerationFile.at(folder.resolve("ledger"), LeaseKey.of("lock", "b"), trail);
    try (Service service = new Service(file, FenceFilter.advising(file, KEY), changing())) {
      for (String path : List.of("/change", "/seal")) {
        HttpResponse<String> response =
            service.bare(FencedHttp.under(claim(5), service.request(path)));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("'ledger' is written under lock/b, not under lock/a");
      }
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void two_tokens_on_one_request_are_none() throws Exception {
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), changing())) {
      HttpRequest request =
          HttpRequest.newBuilder(
                  FencedHttp.under(claim(5), service.request("/change")), (n, v) -> true)
              .header("Leasehold-Token", "9")
              .build();
      HttpResponse<String> response = service.bare(request);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains("more than one Leasehold-Token");
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void a_fence_that_cannot_be_asked_admits_no_request() throws Exception {
    MemoryFence unsure =
        new MemoryFence(
            "orders",
            trail,
            (key, token) -> {
              throw new FenceUnavailableException("the issuer is away", new IOException());
            });
    try (Service service = new Service(unsure, FenceFilter.around(unsure, KEY), changing())) {
      assertThat(service.change(5))
          .isInstanceOfSatisfying(
              FencedResponse.Received.class,
              received -> assertThat(received.response().statusCode()).isEqualTo(503));
      assertThatThrownBy(() -> service.fenced().sealing(service.at("/seal")).seal(claim(5)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was not sealed: it answered 503");
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void only_a_post_seals() throws Exception {
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), changing())) {
      HttpRequest get = HttpRequest.newBuilder(service.at("/seal")).build();
      assertThat(service.bare(FencedHttp.under(claim(9), get)).statusCode()).isEqualTo(405);
    }
    assertThat(fence.admit(claim(5))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void another_conflict_comes_through_as_it_is() throws Exception {
    HttpHandler conflicted =
        exchange -> Problem.send(exchange, 409, "application/problem+json", "{\"title\":\"no\"}");
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), conflicted)) {
      assertThat(service.change(5))
          .isInstanceOfSatisfying(
              FencedResponse.Received.class,
              received -> {
                assertThat(received.response().statusCode()).isEqualTo(409);
                assertThat(received.response().body()).isEqualTo("{\"title\":\"no\"}");
              });
    }
  }

  @Test
  void a_body_that_would_keep_the_fence_for_long_is_too_large() throws Exception {
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), changing())) {
      HttpRequest request =
          HttpRequest.newBuilder(service.at("/change"))
              .POST(
                  HttpRequest.BodyPublishers.ofByteArray(new byte[FenceFilter.MAX_BODY_BYTES + 1]))
              .build();
      assertThat(service.bare(FencedHttp.under(claim(5), request)).statusCode()).isEqualTo(413);
    }
    assertThat(changes).isEmpty();
  }

  @Test
  void a_handler_may_change_through_a_mark_in_its_database(@TempDir Path folder) throws Exception {
    SQLiteDataSource database = new SQLiteDataSource();
    database.setUrl("jdbc:sqlite:" + folder.resolve("orders.db"));
    try (Connection connection = database.getConnection()) {
      JdbcFence.createTables(connection);
    }
    JdbcFence durable = JdbcFence.before("orders", database);
    HttpHandler handler =
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          switch (changeThrough(durable, FenceFilter.claimOf(exchange))) {
            case Changed.Made<String> made ->
                answer(exchange, made.result() + new String(body, StandardCharsets.UTF_8));
            case Changed.NotMade<String> notMade -> throw new RefusedException(notMade.why());
          }
        };
    FenceFilter filter = FenceFilter.handlerChangesThrough(durable, KEY);
    assertThat(filter.guarantee().holdsFor(Durability.DURABLE)).isTrue();
    try (Service service = new Service(durable, filter, handler)) {
      isDone(service.change(5));
      assertThat(service.fenced().sealing(service.at("/seal")).seal(claim(6)))
          .isEqualTo(Admission.ADMITTED);
      assertThat(service.change(5)).isEqualTo(stale(6));
    }
    assertThat(changes).hasSize(1);
  }

  private Changed<String> changeThrough(JdbcFence durable, Claim claim) {
    try {
      return durable.change(
          claim,
          connection -> {
            changes.add(claim);
            return "got ";
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void each_form_says_what_it_is_worth() {
    assertThat(FenceFilter.around(fence, KEY).guarantee().holdsFor(Durability.PROCESS)).isTrue();
    assertThat(FenceFilter.around(fence, KEY).guarantee().holdsFor(Durability.DURABLE)).isFalse();
    assertThat(FenceFilter.advising(fence, KEY).guarantee().holdsFor(Durability.PROCESS)).isFalse();
    assertThat(FenceFilter.advising(fence, KEY).target()).isEqualTo("orders");
  }
}
