package dev.leasehold.examples.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several users at once, who write through any replica and remember which writes were accepted. A
 * write without an answer may have taken effect or not.
 */
final class Users implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int MAX_SANDBOXES = 60;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final List<String> IMAGES = List.of("plain", "plain", "plain", "broken", "lossy");

  private final Fleet fleet;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final List<Promises> sandboxes = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch stopping = new CountDownLatch(1);

  /** What a user was told of one sandbox. Its fields only grow. */
  static final class Promises {
    final String id;
    final String image;
    final List<String> labels = new CopyOnWriteArrayList<>();
    final AtomicInteger notes = new AtomicInteger();
    final AtomicInteger notesUnanswered = new AtomicInteger();
    volatile boolean created;
    volatile boolean deleteAsked;
    volatile boolean deletePromised;

    Promises(String id, String image) {
      this.id = id;
      this.image = image;
    }
  }

  Users(Fleet fleet) {
    this.fleet = fleet;
  }

  void begin(SplittableRandom random) {
    for (int i = 0; i < THREADS; i++) {
      String name = "user" + i;
      SplittableRandom own = random.split();
      threads.add(Thread.ofPlatform().start(() -> write(name, own)));
    }
  }

  List<Promises> sandboxes() {
    return sandboxes;
  }

  int accepted() {
    return accepted.get();
  }

  /** Waits until this many more writes were accepted. */
  void awaitMore(int more) {
    int enough = accepted() + more;
    fleet.awaitThat(enough + " writes are accepted", () -> accepted() >= enough);
  }

  private void write(String name, SplittableRandom random) {
    int number = 0;
    try {
      // Slowly enough to leave the processors to the replicas.
      while (!stopping.await(random.nextInt(20), TimeUnit.MILLISECONDS)) {
        number++;
        int what = random.nextInt(20);
        if (sandboxes.isEmpty() || (what < 5 && sandboxes.size() < MAX_SANDBOXES)) {
          create(name + "-" + number, IMAGES.get(random.nextInt(IMAGES.size())), random);
          continue;
        }
        Promises one = pick(random);
        if (what == 5) {
          delete(one, random);
        } else if (what < 13) {
          label(one, name + "-" + number, random);
        } else {
          note(one, random);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Mostly one of the latest, which the reconciler and other users also write. */
  private Promises pick(SplittableRandom random) {
    int size = sandboxes.size();
    int among = random.nextInt(4) == 0 ? size : Math.min(size, 3);
    return sandboxes.get(size - 1 - random.nextInt(among));
  }

  private void create(String id, String image, SplittableRandom random)
      throws InterruptedException {
    Promises one = new Promises(id, image);
    Optional<HttpResponse<String>> response =
        send("/sandboxes/" + id, HttpRequest.newBuilder().PUT(text(image)), random);
    one.created = isAccepted(response);
    sandboxes.add(one);
  }

  private void delete(Promises one, SplittableRandom random) throws InterruptedException {
    one.deleteAsked = true;
    if (isAccepted(send("/sandboxes/" + one.id, HttpRequest.newBuilder().DELETE(), random))) {
      one.deletePromised = true;
    }
  }

  private void label(Promises one, String label, SplittableRandom random)
      throws InterruptedException {
    String path = "/sandboxes/" + one.id + "/labels/" + label;
    if (isAccepted(send(path, HttpRequest.newBuilder().PUT(text("")), random))) {
      one.labels.add(label);
    }
  }

  /** Counts in the note: reads it, adds one, and writes if it has not changed meanwhile. */
  private void note(Promises one, SplittableRandom random) throws InterruptedException {
    Optional<HttpResponse<String>> read =
        send("/sandboxes/" + one.id, HttpRequest.newBuilder().GET(), random)
            .filter(response -> response.statusCode() == 200);
    if (read.isEmpty()) {
      return;
    }
    int before = count(Sandbox.of(read.get().body()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder()
            .PUT(text(Integer.toString(before + 1)))
            .header("If-Match", read.get().headers().firstValue("ETag").orElseThrow());
    Optional<HttpResponse<String>> written =
        send("/sandboxes/" + one.id + "/note", request, random);
    if (written.isEmpty()) {
      one.notesUnanswered.incrementAndGet();
    } else if (isAccepted(written)) {
      one.notes.incrementAndGet();
    }
  }

  static int count(Sandbox sandbox) {
    return sandbox.note().isEmpty() ? 0 : Integer.parseInt(sandbox.note());
  }

  private boolean isAccepted(Optional<HttpResponse<String>> response) {
    boolean isOne = response.filter(answer -> answer.statusCode() / 100 == 2).isPresent();
    if (isOne) {
      accepted.incrementAndGet();
    }
    return isOne;
  }

  /** The response; empty if it is unknown whether the request took effect. */
  private Optional<HttpResponse<String>> send(
      String path, HttpRequest.Builder request, SplittableRandom random)
      throws InterruptedException {
    List<Fleet.Replica> serving = fleet.serving();
    if (serving.isEmpty()) {
      return Optional.empty();
    }
    URI address = serving.get(random.nextInt(serving.size())).address();
    try {
      HttpResponse<String> response =
          http.send(
              request.uri(address.resolve(path)).timeout(TIMEOUT).build(), BodyHandlers.ofString());
      return Optional.of(response).filter(answer -> answer.statusCode() != 503);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static HttpRequest.BodyPublisher text(String text) {
    return BodyPublishers.ofString(text);
  }

  /** When this returns, no user writes any more, except requests without an answer. */
  @Override
  public void close() {
    stopping.countDown();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while users finish", e);
      }
    }
  }
}
