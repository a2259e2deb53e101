package dev.leasehold.server.http;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.SharedCommands;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a store, and never for longer than callers are promised. */
final class StoreAnswers {
  private static final System.Logger LOG = System.getLogger(StoreAnswers.class.getName());

  /** Commands are given up a moment earlier, each with its own word on what is known of it. */
  private static final long PATIENCE_MILLIS = SharedCommands.PATIENCE.toMillis() + 50;

  private StoreAnswers() {}

  static <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "the store did not answer in time");
      throw ProblemException.storeAway();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllFormedException illFormed) {
        throw illFormed;
      }
      LOG.log(Level.WARNING, "the store could not be asked", e.getCause());
      throw ProblemException.storeAway();
    }
  }
}
