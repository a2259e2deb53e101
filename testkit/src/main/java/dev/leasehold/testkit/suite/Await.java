package dev.leasehold.testkit.suite;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Waits for what a store is asked. */
public final class Await {
  /** How long a store may take for anything before the test calls it hung. */
  public static final long TIMEOUT_SECONDS = 60;

  private Await() {}

  public static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new AssertionError("the store did not answer", e.getCause());
    }
  }
}
