package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.health.StoreClock;
import dev.leasehold.store.jdbc.opening.Examiner;
import dev.leasehold.store.jdbc.status.ClockSteps;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What a store reports about itself, for operators and for {@code leasehold doctor}. */
public final class Diagnostics {
  private final Engine engine;
  private final Hints hints;
  private final RollbackDetector detector;
  private final StoreClock clock;

  Diagnostics(JdbcStore.Parts parts, StoreClock clock) {
    this.engine = parts.engine();
    this.hints = parts.hints();
    this.detector = parts.detector();
    this.clock = clock;
  }

  /** The identity of this store, and its present state. */
  public CompletionStage<StoreIdentity> identity() {
    return engine.read(
        connection -> {
          long now = connection.number("clock");
          return connection
              .first(
                  row ->
                      new StoreIdentity(
                          row.getString(1),
                          row.getInt(2),
                          Math.max(0, row.getLong(3) - now),
                          row.getString(4)),
                  "store")
              .orElseThrow(StoreUnusableException::unmigrated);
        });
  }

  /**
   * Whether other processes receive this store's changes: sends one, and waits a few seconds for it
   * on another connection. Where they do not, waiters learn of a release only by their timers.
   */
  public CompletionStage<Boolean> deliversChanges() {
    return new Lane("probe", 1).submit(hints::deliver);
  }

  /** How many transactions concurrent ones made run again since the store was opened. */
  public long restarts() {
    return engine.restarts();
  }

  /**
   * How often the database's clock has stepped against this process's clock by more than half a
   * second. The two are compared once a second.
   */
  public ClockSteps clockSteps() {
    return clock.steps();
  }

  /** The other roles that may create objects in the store's schema, on PostgreSQL. */
  public CompletionStage<SchemaCreators> schemaCreators() {
    return engine.read(SchemaCreators::read);
  }

  /** Why commands are refused: the store has gone back to an earlier state. */
  public Optional<String> refusal() {
    return detector.refusal();
  }

  /** Whether a witness outside the database could tell that the store has gone back. */
  public WitnessState witness() {
    return detector.witness();
  }

  /** What the database reports about itself now, on a connection as the store uses it. */
  public CompletionStage<DatabaseFacts> examine(InstantSource wallClock) {
    return engine.read(connection -> new Examiner(wallClock).examine(connection));
  }
}
