package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends a store one command at a time, for tests. */
final class TestCommands {
  static final Instance ANN = Instance.of("a".repeat(32));
  static final Duration TTL = Duration.ofSeconds(60);
  static final long START_MILLIS = 1_800_000_000_000L;
  private static int requests;

  private TestCommands() {}

  static Token acquire(LeaseStore store, LeaseKey key) {
    return ((Outcome.Granted) outcome(store, acquiring(key))).grant().token();
  }

  static Command acquiring(LeaseKey key) {
    return Command.Acquire.of(key, ANN, request(), Terms.of("ann", TTL));
  }

  static void release(LeaseStore store, LeaseKey key, Token token) {
    Outcome outcome = outcome(store, releasing(key, token));
    if (!(outcome instanceof Outcome.Released)) {
      throw new AssertionError("not released: " + outcome);
    }
  }

  static Command releasing(LeaseKey key, Token token) {
    return new Command.Release(key, token, ANN, request());
  }

  /** To another instance; the answer is the heir's token. */
  static Token handOver(LeaseStore store, LeaseKey key, Token token) {
    Command.Heir heir = new Command.Heir("ben", Instance.random().id());
    Command command = new Command.HandOver(key, token, ANN, request(), heir);
    return ((Outcome.HandedOver) outcome(store, command)).token();
  }

  /** A grant that was released again. */
  static Token acquireAndRelease(LeaseStore store, LeaseKey key) {
    Token token = acquire(store, key);
    release(store, key, token);
    return token;
  }

  private static synchronized RequestId request() {
    return new RequestId("r" + requests++);
  }

  static Outcome outcome(LeaseStore store, Command command) {
    return get(store.apply(List.of(command))).getFirst();
  }

  /** An action that a database may refuse. */
  interface SqlAction {
    void run() throws SQLException;
  }

  static void unchecked(SqlAction action) {
    try {
      action.run();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
