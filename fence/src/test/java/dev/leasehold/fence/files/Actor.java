package dev.leasehold.fence.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * A process that works in a folder, and performs one file operation each time the test tells it to.
 */
final class Actor implements Folder {
  private enum Place {
    BEFORE_A_STEP,
    DONE
  }

  private final Folder folder;
  private final BlockingQueue<Place> places = new LinkedBlockingQueue<>();
  private final Semaphore permits = new Semaphore(0);
  private Place place = Place.BEFORE_A_STEP;
  private Optional<Throwable> failure = Optional.empty();

  Actor(Folder folder) {
    this.folder = folder;
  }

  /** Starts the work, and stops it before its first step. */
  void begin(Callable<?> work) throws InterruptedException {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                work.call();
              } catch (Throwable e) {
                failure = Optional.of(e);
              }
              places.add(Place.DONE);
            });
    place = places.take();
  }

  boolean isDone() {
    return place == Place.DONE;
  }

  /** Performs this number of steps, or fewer if the work ends. */
  void steps(int count) throws InterruptedException {
    for (int i = 0; i < count && !isDone(); i++) {
      permits.release();
      place = places.take();
    }
    if (isDone() && failure.isPresent()) {
      throw new AssertionError(failure.get());
    }
  }

  void finish() throws InterruptedException {
    steps(Integer.MAX_VALUE);
  }

  private Folder step() throws IOException {
    places.add(Place.BEFORE_A_STEP);
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return folder;
  }

  @Override
  public List<String> names(String prefix) throws IOException {
    return step().names(prefix);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return step().exists(name);
  }

  @Override
  public Optional<byte[]> read(String name) throws IOException {
    return step().read(name);
  }

  @Override
  public void create(String name) throws IOException {
    step().create(name);
  }

  @Override
  public void create(String name, byte[] content) throws IOException {
    step().create(name, content);
  }

  @Override
  public boolean link(String name, String second) throws IOException {
    return step().link(name, second);
  }

  @Override
  public boolean rename(String name, String newName) throws IOException {
    return step().rename(name, newName);
  }

  @Override
  public void delete(String name) throws IOException {
    step().delete(name);
  }

  /** Not a step of its own, since no other process can observe it. */
  @Override
  public void sync() throws IOException {
    folder.sync();
  }
}
