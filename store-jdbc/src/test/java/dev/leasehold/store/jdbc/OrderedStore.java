package dev.leasehold.store.jdbc;

import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.interleaving.LockTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A store on PostgreSQL whose sessions run in a given order. Each scene uses new keys, so neither
 * rows nor tokens have to be reset.
 */
final class OrderedStore implements AutoCloseable {
  /** Commits need not be on disk, and the server ends no deadlock: the order does. */
  private static final String OPTIONS =
      "-c synchronous_commit=off -c deadlock_timeout=1h -c default_transaction_isolation=";

  private final Schema schema = new Schema();
  private final JdbcStore store;
  private final String storeId;
  private final LockTable locks;
  private final Connection observer;
  private final OrderedSession preparing;
  private final List<OrderedSession> sessions = new ArrayList<>();
  private int keys;

  /**
   * @param isolation as in {@code read\\ committed}
   * @param count of sessions, which are named A, B, C
   */
  OrderedStore(String isolation, int count, StoreStatements statements) throws SQLException {
    store = schema.store().migrate().open();
    storeId = schema.value("SELECT store_id FROM leasehold_store");
    schema.execute(journal());
    String url = schema.url(OPTIONS + isolation);
    observer = DriverManager.getConnection(url);
    locks = new LockTable(DriverManager.getConnection(url));
    preparing = new OrderedSession('-', url, StoreStatements.asTheyAre());
    for (int i = 0; i < count; i++) {
      sessions.add(new OrderedSession((char) ('A' + i), url, statements));
    }
  }

  static OrderedStore open(StoreStatements statements) throws SQLException {
    return new OrderedStore("read\\ committed", 3, statements);
  }

  /** Also the triggers that raise floors: a purge must not depend on them alone. */
  void dropTriggers() throws SQLException {
    schema.execute("DROP TRIGGER leasehold_keep_floor ON leasehold_lease");
  }

  private static String journal() {
    try (InputStream in =
        Objects.requireNonNull(
            OrderedStore.class.getResourceAsStream("interleaving-journal.sql"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same for every session: a store recognizes its own connections. */
  AtEffect effects() {
    return store.atEffect("notes", new RefusalTrail(InstantSource.system()));
  }

  String storeId() {
    return storeId;
  }

  JdbcStore store() {
    return store;
  }

  LockTable locks() {
    return locks;
  }

  /** Sees committed rows only, and takes no locks. */
  Connection observer() {
    return observer;
  }

  /** Without a gate, to prepare a scene. */
  OrderedSession preparing() {
    return preparing;
  }

  OrderedSession session(int number) {
    return sessions.get(number);
  }

  int newNumber() {
    return keys++;
  }

  /** Also ends a backend that an order has left waiting. */
  private void end(int backend) {
    try {
      schema.execute("SELECT pg_terminate_backend(" + backend + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    sessions.forEach(session -> end(session.gate().backend()));
    end(preparing.gate().backend());
    store.close();
    schema.close();
  }
}
