package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The file of a SQLite database, as this process has opened it. A connection continues with a file
 * that was deleted or replaced, while every other process uses the new file.
 *
 * @param key identifies the file as long as it is open; empty if the system has no such key
 */
record OpenedFile(Path path, Optional<Object> key) {
  static OpenedFile of(StoreConnection connection) throws SQLException {
    Path path = Address.named(connection);
    return new OpenedFile(path, keyOf(path));
  }

  boolean isInPlace() {
    return key.isEmpty() || key.equals(keyOf(path));
  }

  private static Optional<Object> keyOf(Path path) {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
