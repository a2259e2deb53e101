package dev.leasehold.blocks.leader;

import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Those who want to work while this replica leads. Used in turns. */
final class WaitingRoom {
  private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

  private final Environment environment;
  private final Supplier<Optional<Post>> posts;
  private final List<Waiter> waiting = new ArrayList<>();
  private boolean closed;

  private static final class Waiter {
    final CompletableFuture<Optional<Post>> told;
    Optional<Scheduler.Timer> timer = Optional.empty();

    Waiter(CompletableFuture<Optional<Post>> told) {
      this.told = told;
    }
  }

  /** Takes where a post is to be had, if there is one now. */
  WaitingRoom(Environment environment, Supplier<Optional<Post>> posts) {
    this.environment = environment;
    this.posts = posts;
  }

  /** Is told of a post, or after this time that there was none. */
  void enter(CompletableFuture<Optional<Post>> told, Duration wait) {
    Optional<Post> now = posts.get();
    if (now.isPresent() || closed || !wait.isPositive()) {
      tell(told, now);
      return;
    }
    long nanos = (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos();
    Waiter waiter = new Waiter(told);
    waiter.timer = Optional.of(environment.after(nanos, () -> leave(waiter, Optional.empty())));
    waiting.add(waiter);
  }

  /** There are posts to be had. */
  void open() {
    for (Waiter waiter : List.copyOf(waiting)) {
      Optional<Post> post = posts.get();
      if (post.isPresent()) {
        leave(waiter, post);
      }
    }
  }

  void close() {
    closed = true;
    List.copyOf(waiting).forEach(waiter -> leave(waiter, Optional.empty()));
  }

  /** Whoever does not wait any more has told himself so. */
  void forgetWhoHasGone() {
    for (Waiter waiter : List.copyOf(waiting)) {
      if (waiter.told.isDone()) {
        leave(waiter, Optional.empty());
      }
    }
  }

  private void leave(Waiter waiter, Optional<Post> post) {
    waiter.timer.ifPresent(Scheduler.Timer::cancel);
    waiting.remove(waiter);
    tell(waiter.told, post);
  }

  /** Whoever has gone meanwhile leaves the post empty. */
  private static void tell(CompletableFuture<Optional<Post>> told, Optional<Post> post) {
    if (!told.complete(post)) {
      post.ifPresent(unused -> unused.reign().ended(unused.shift(), TermWork.Outcome.DONE));
    }
  }
}
