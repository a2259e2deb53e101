package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A fence for a table in a database that is new for each test. */
abstract class JdbcFenceGroup {
  static final LeaseKey KEY = LeaseKey.of("lock", "a");
  static final Duration TRUST = Duration.ofSeconds(30);

  TargetDatabase database;
  JdbcFence fence;

  abstract TargetDatabase open(Path folder) throws Exception;

  @BeforeEach
  void open(@TempDir Path folder, @TempDir Path unused) throws Exception {
    database = open(folder);
    fence = JdbcFence.before("orders", database.source());
  }

  @AfterEach
  void close() throws Exception {
    database.close();
  }

  static Claim claim(long token) {
    return new Claim(KEY, new Token(token), "holder " + token);
  }

  static Admission.Stale stale(long current) {
    return new Admission.Stale(new Token(current));
  }

  TargetDatabase database() {
    return database;
  }

  JdbcFence fence() {
    return fence;
  }

  Changed<String> write(long token) throws SQLException {
    return write(fence, claim(token));
  }

  static Changed<String> write(JdbcFence fence, Claim claim) throws SQLException {
    return fence.change(
        claim,
        connection -> {
          Stopped.write(connection, claim);
          return "done";
        });
  }

  long entries(long token) throws SQLException {
    return database.count("SELECT count(*) FROM entry WHERE token = " + token);
  }

  static Changed<String> made() {
    return new Changed.Made<>("done");
  }

  static Changed<String> notMade(Admission.Refused why) {
    return new Changed.NotMade<>(why);
  }
}
