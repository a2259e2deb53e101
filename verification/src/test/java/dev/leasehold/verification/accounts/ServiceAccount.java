package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.Account;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.cli.demo.Permit;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.http.FencedHttp;
import dev.leasehold.fence.http.FencedResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** An account that an {@link AccountService} keeps. */
final class ServiceAccount implements Account {
  private final HttpClient client = HttpClient.newHttpClient();
  private final FencedHttp http = new FencedHttp(client);
  private final URI service;
  private final boolean fenced;

  ServiceAccount(URI service, boolean fenced) {
    this.service = service;
    this.fenced = fenced;
  }

  @Override
  public void prepare() {
    // The service does so by itself.
  }

  @Override
  public Admission seal(Claim claim) throws IOException, InterruptedException {
    return fenced
        ? http.sealing(service.resolve(AccountService.SEAL)).seal(claim)
        : Admission.ADMITTED;
  }

  @Override
  public List<Entry> read() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                service.resolve(fenced ? AccountService.FENCED_LOG : AccountService.OPEN_LOG))
            .build();
    return requireOk(client.send(request, BodyHandlers.ofString()))
        .body()
        .lines()
        .map(Entry::parse)
        .toList();
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                service.resolve(fenced ? AccountService.FENCED : AccountService.OPEN))
            .POST(BodyPublishers.ofString(log.getLast().toString()))
            .build();
    return switch (http.send(request, permit.claim(), BodyHandlers.ofString())) {
      case FencedResponse.Refused<String> refused -> refused.why();
      case FencedResponse.Received<String> received -> {
        requireOk(received.response());
        yield Admission.ADMITTED;
      }
    };
  }

  private static HttpResponse<String> requireOk(HttpResponse<String> response) throws IOException {
    if (response.statusCode() != AccountService.OK) {
      throw new IOException("answered " + response.statusCode() + ": " + response.body());
    }
    return response;
  }

  @Override
  public void close() {
    client.close();
  }
}
