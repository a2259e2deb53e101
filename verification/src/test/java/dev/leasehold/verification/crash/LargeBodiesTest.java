package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.Instance;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Members;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bodies of the largest size, of all that can be wrong with one, eight of a kind at a time, to a
 * server with little memory: each gets a problem, the server lives, and a holder that renews all
 * the while loses no renewal.
 */
@Timeout(300)
class LargeBodiesTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.proof") ? 20 : 1;
  private static final int AT_ONCE = 8;
  private static final String KEY = "lock/victim";
  private static final int TTL_MILLIS = 10_000;

  private final Instance instance = Instance.random();

  @Test
  void noHolderLosesItsLeaseToThem() throws Exception {
    List<String> small = List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError");
    try (WorkerFleet fleet = new WorkerFleet(small);
        HttpClient client = HttpClient.newHttpClient();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      WorkerFleet.Member server = fleet.start(SmallServer.class, "server", null, List.of());
      server.await("serving", 1);
      URI address = URI.create(server.last("serving").substring("serving ".length()));
      String sender = server.last("sender").substring("sender ".length());
      Victim victim =
          new Victim(client, address, server.last("holder").substring("holder ".length()));
      long token = victim.acquire();
      AtomicBoolean over = new AtomicBoolean();
      Future<Integer> renewals = threads.submit(() -> victim.renewUntil(over, token));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          for (LargeBody body : LargeBody.values()) {
            sendMany(threads, body, address, sender);
          }
        }
      } finally {
        over.set(true);
      }
      assertThat(renewals.get()).isPositive();
      assertThat(server.isAlive()).isTrue();
    }
  }

  private static void sendMany(ExecutorService threads, LargeBody body, URI address, String apiKey)
      throws InterruptedException, ExecutionException {
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      answers.add(threads.submit(() -> body.sendTo(address, apiKey)));
    }
    for (Future<String> answer : answers) {
      assertThat(answer.get())
          .as(body.name())
          .matches("(?s)HTTP/1.1 (400|403|413|503) .*")
          .containsIgnoringCase("content-type: application/problem+json");
    }
  }

  /** A holder that renews again as soon as it has renewed. */
  private final class Victim {
    private final HttpClient client;
    private final URI server;
    private final String apiKey;

    Victim(HttpClient client, URI server, String apiKey) {
      this.client = client;
      this.server = server;
      this.apiKey = apiKey;
    }

    long acquire() throws IOException, InterruptedException {
      Members granted =
          post(
              "/v1/leases/acquire",
              "{\"key\":\"%s\",\"holder\":\"victim\",\"ttlMs\":%d,\"instance\":\"%s\"}"
                  .formatted(KEY, TTL_MILLIS, instance.secret()));
      return granted.number("token");
    }

    int renewUntil(AtomicBoolean over, long token) throws IOException, InterruptedException {
      int renewals = 0;
      while (!over.get()) {
        Members results =
            post(
                "/v1/leases/renew",
                "{\"instance\":\"%s\",\"leases\":[{\"key\":\"%s\",\"token\":%d}]}"
                    .formatted(instance.secret(), KEY, token));
        assertThat(results.list("results", 1).getFirst().text("outcome")).isEqualTo("renewed");
        renewals++;
      }
      return renewals;
    }

    private Members post(String path, String body) throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(server.resolve(path))
              .header("Content-Type", "application/json")
              .header("Authorization", "Bearer " + apiKey)
              .POST(BodyPublishers.ofString(body))
              .build();
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(200);
      return Json.read(answer.body());
    }
  }
}
