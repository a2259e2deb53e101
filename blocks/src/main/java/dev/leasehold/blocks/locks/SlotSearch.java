package dev.leasehold.blocks.locks;

import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Acquisition.Acquired;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** One caller's search for any of several slots. */
final class SlotSearch {
  private final Leases leases;
  private final List<LeaseRequest> requests;

  SlotSearch(Leases leases, List<LeaseRequest> requests) {
    this.leases = leases;
    this.requests = List.copyOf(requests);
  }

  /** Whether waiting can help: a holder may release, and a store that failed may recover. */
  static boolean mayComeToBe(Acquisition answer) {
    return isTaken(answer) || answer instanceof Acquisition.Failed;
  }

  /** Whether another slot may be free. */
  private static boolean isTaken(Acquisition answer) {
    return answer instanceof Acquisition.Held || answer instanceof Acquisition.Closed;
  }

  /** Tries one slot after the other, until one is acquired or the store fails. */
  Acquisition probe() throws InterruptedException {
    List<Acquisition> heard = new ArrayList<>();
    for (LeaseRequest request : requests) {
      Acquisition answer = leases.tryAcquire(request);
      if (!isTaken(answer)) {
        return answer;
      }
      heard.add(answer);
    }
    return soonest(heard);
  }

  /**
   * Waits for all slots at once, and cancels the others when one is acquired. If two are acquired
   * at the same time, one is released.
   */
  Acquisition await(Duration wait) throws InterruptedException {
    List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
    Optional<Acquisition> taken = Optional.empty();
    try {
      for (LeaseRequest request : requests) {
        asked.add(leases.acquireAsync(request, wait));
      }
      taken = Optional.of(best(asked).get());
      return taken.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException told ? told : new CompletionException(e);
    } finally {
      letGo(asked, taken);
    }
  }

  /** The first slot that is acquired; if none is, the most useful of the results. */
  private static CompletableFuture<Acquisition> best(List<CompletableFuture<Acquisition>> asked) {
    CompletableFuture<Acquisition> best = new CompletableFuture<>();
    for (CompletableFuture<Acquisition> one : asked) {
      var unused =
          one.thenAccept(
              answer -> {
                if (answer instanceof Acquired) {
                  best.complete(answer);
                }
              });
    }
    var unused =
        CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
            .thenApply(all -> soonest(asked.stream().map(CompletableFuture::join).toList()))
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    best.complete(answer);
                  } else {
                    best.completeExceptionally(rootOf(failure));
                  }
                });
    return best;
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Cancels the other waits, and releases a slot that was acquired but is not used. */
  private static void letGo(
      List<CompletableFuture<Acquisition>> asked, Optional<Acquisition> taken) {
    asked.forEach(one -> one.cancel(false));
    for (CompletableFuture<Acquisition> one : asked) {
      if (one.state() == Future.State.SUCCESS
          && one.resultNow() instanceof Acquired(Lease lease)
          && !taken.equals(Optional.of(one.resultNow()))) {
        lease.decline();
      }
    }
  }

  /** The holder whose slot expires first; else the first result. */
  private static Acquisition soonest(List<Acquisition> heard) {
    return heard.stream()
        .filter(Acquisition.Held.class::isInstance)
        .map(Acquisition.Held.class::cast)
        .min(Comparator.comparing(Acquisition.Held::remaining))
        .<Acquisition>map(held -> held)
        .orElseGet(heard::getFirst);
  }
}
