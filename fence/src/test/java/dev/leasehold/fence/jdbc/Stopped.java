package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A holder that is stopped after it was admitted and wrote its entry, but before the commit. */
final class Stopped {
  private static final long TIMEOUT_SECONDS = 60;

  private final CountDownLatch resumed = new CountDownLatch(1);
  private final CompletableFuture<Changed<String>> outcome;

  private Stopped(JdbcFence fence, Claim claim, CountDownLatch inside) {
    outcome =
        running(
            () ->
                fence.change(
                    claim,
                    connection -> {
                      write(connection, claim);
                      inside.countDown();
                      resumed.await();
                      return "done";
                    }));
  }

  static Stopped inChange(JdbcFence fence, Claim claim) throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    Stopped stopped = new Stopped(fence, claim, inside);
    if (!inside.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the change has not begun");
    }
    return stopped;
  }

  Changed<String> resume() throws Exception {
    resumed.countDown();
    return get(outcome);
  }

  static void write(Connection connection, Claim claim) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO entry (token, text) VALUES (?, ?)")) {
      statement.setLong(1, claim.token().value());
      statement.setString(2, claim.who());
      statement.executeUpdate();
    }
  }

  static <T> CompletableFuture<T> running(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                result.complete(task.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("nothing came of it", e);
    }
  }
}
