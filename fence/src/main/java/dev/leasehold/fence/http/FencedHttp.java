package dev.leasehold.fence.http;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Sends requests with a token, and distinguishes its refusal from every other answer. */
public final class FencedHttp {
  private static final Duration SEAL_TIMEOUT = Duration.ofSeconds(30);
  private static final int OK = 200;

  private final HttpClient client;

  public FencedHttp(HttpClient client) {
    this.client = client;
  }

  /** The same request, with the claim in its headers. */
  public static HttpRequest under(Claim claim, HttpRequest request) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request, (name, value) -> true);
    FenceHeaders.write(builder, claim);
    return builder.build();
  }

  /**
   * Sends the request with the claim in its headers. Get the claim from the lease right before, so
   * that a token that is known to be lost is not sent.
   */
  public <T> FencedResponse<T> send(HttpRequest request, Claim claim, BodyHandler<T> bodies)
      throws IOException, InterruptedException {
    HttpResponse<Body<T>> response = client.send(under(claim, request), refusalOr(bodies));
    return switch (response.body()) {
      case Body.Refusal<T> refusal -> new FencedResponse.Refused<>(refusal.why());
      case Body.Other<T> other ->
          new FencedResponse.Received<>(new ResponseWithBody<>(response, other.body()));
    };
  }

  /** Seals a service through its {@link SealHandler} at this address. */
  public RemoteSeal sealing(URI address) {
    return claim -> {
      HttpRequest request =
          HttpRequest.newBuilder(address)
              .POST(HttpRequest.BodyPublishers.noBody())
              .timeout(SEAL_TIMEOUT)
              .build();
      return switch (send(request, claim, HttpResponse.BodyHandlers.ofString())) {
        case FencedResponse.Refused<String> refused -> refused.why();
        case FencedResponse.Received<String> received -> {
          if (received.response().statusCode() != OK) {
            throw new IOException(
                address + " was not sealed: it answered " + received.response().statusCode());
          }
          yield Admission.ADMITTED;
        }
      };
    };
  }

  /**
   * Raises the mark of a remote service. Without an answer the service may not be sealed: ask
   * again.
   */
  @FunctionalInterface
  public interface RemoteSeal {
    Admission seal(Claim claim) throws IOException, InterruptedException;
  }

  /** A body that is a refusal, or the result of the caller's body handler. */
  private sealed interface Body<T> {
    record Refusal<T>(Admission.Refused why) implements Body<T> {}

    record Other<T>(T body) implements Body<T> {}
  }

  private static <T> BodyHandler<Body<T>> refusalOr(BodyHandler<T> bodies) {
    return info -> {
      boolean mayRefuse =
          info.statusCode() == Problem.CONFLICT
              && info.headers()
                  .firstValue("Content-Type")
                  .filter(type -> type.startsWith(Problem.MEDIA_TYPE))
                  .isPresent();
      BodySubscriber<T> others = bodies.apply(info);
      return mayRefuse ? new Deciding<>(others) : BodySubscribers.mapping(others, Body.Other::new);
    };
  }

  /** Collects a body, and passes it on if it is no refusal. */
  private static final class Deciding<T> implements BodySubscriber<Body<T>> {
    private final BodySubscriber<byte[]> gathering = BodySubscribers.ofByteArray();
    private final BodySubscriber<T> others;

    Deciding(BodySubscriber<T> others) {
      this.others = others;
    }

    @Override
    public CompletionStage<Body<T>> getBody() {
      return gathering.getBody().thenCompose(this::decide);
    }

    private CompletionStage<Body<T>> decide(byte[] bytes) {
      Optional<Admission.Refused> refusal = RefusalBody.read(bytes);
      if (refusal.isPresent()) {
        return CompletableFuture.completedStage(new Body.Refusal<>(refusal.get()));
      }
      others.onSubscribe(new NoSubscription());
      others.onNext(List.of(ByteBuffer.wrap(bytes)));
      others.onComplete();
      return others.getBody().thenApply(Body.Other::new);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      gathering.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      gathering.onNext(item);
    }

    @Override
    public void onError(Throwable failure) {
      gathering.onError(failure);
    }

    @Override
    public void onComplete() {
      gathering.onComplete();
    }
  }

  /** A subscription without effect, since the whole body has been passed on already. */
  private static final class NoSubscription implements Flow.Subscription {
    @Override
    public void request(long n) {
      // There is nothing more.
    }

    @Override
    public void cancel() {
      // There is nothing to stop.
    }
  }
}
