package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.batches.Engine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The rows of API keys. The server interprets them; they contain no secret. */
public final class KeyRows {
  private final Engine engine;

  KeyRows(Engine engine) {
    this.engine = engine;
  }

  /**
   * One key.
   *
   * @param hash of its secret
   * @param verbs separated by commas, as prefixes are
   */
  public record Row(String id, String name, String hash, String verbs, String prefixes) {}

  public CompletionStage<Optional<Row>> find(String id) {
    return engine.read(connection -> connection.first(KeyRows::row, "find-key", id));
  }

  /** Adding a key that exists already changes nothing. */
  public CompletionStage<Void> add(Row row) {
    return engine
        .transact(
            connection ->
                connection.update(
                    "insert-key", row.id(), row.name(), row.hash(), row.verbs(), row.prefixes()))
        .thenAccept(added -> {});
  }

  public CompletionStage<List<Row>> list() {
    return engine.read(connection -> connection.list(row -> row(row), "keys"));
  }

  /** Returns whether the key existed. */
  public CompletionStage<Boolean> remove(String id) {
    return engine.transact(connection -> connection.update("delete-key", id) > 0);
  }

  private static Row row(ResultSet rows) throws SQLException {
    return new Row(
        rows.getString(1),
        rows.getString(2),
        rows.getString(3),
        rows.getString(4),
        rows.getString(5));
  }
}
