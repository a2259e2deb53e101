package dev.leasehold.remote;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The lines of a stream of events, as they arrive. */
final class EventLines implements Flow.Subscriber<String> {
  private static final int OK = 200;

  /** Maximum number of lines that are received before they are read. */
  private static final int AHEAD = 1_000;

  private final BlockingQueue<Next> queue = new LinkedBlockingQueue<>();
  private volatile Flow.Subscription subscription = NONE;

  private static final Flow.Subscription NONE =
      new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };

  /** The next item of the stream. */
  sealed interface Next {}

  record Line(String text) implements Next {}

  /** No lines will follow, because the stream or the waiting has ended. */
  record Over(String why) implements Next {}

  /** The server refuses the stream. */
  record Refused(int status) implements Next {}

  BodySubscriber<Void> handle(ResponseInfo response) {
    if (response.statusCode() != OK) {
      queue.add(new Refused(response.statusCode()));
      return BodySubscribers.replacing(null);
    }
    return BodySubscribers.fromLineSubscriber(this);
  }

  Next next(Duration timeout) throws InterruptedException {
    Next next = queue.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
    if (next instanceof Line) {
      subscription.request(1);
    }
    return next == null ? new Over("nothing was heard for " + timeout.toSeconds() + " s") : next;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    newSubscription.request(AHEAD);
  }

  @Override
  public void onNext(String line) {
    queue.add(new Line(line));
  }

  @Override
  public void onError(Throwable failure) {
    end(failure);
  }

  void end(Throwable failure) {
    queue.add(new Over(String.valueOf(failure.getMessage())));
  }

  /** Wakes the reader. */
  void stop() {
    queue.add(new Over("no listener is left"));
  }

  @Override
  public void onComplete() {
    queue.add(new Over("the server has ended it"));
  }
}
