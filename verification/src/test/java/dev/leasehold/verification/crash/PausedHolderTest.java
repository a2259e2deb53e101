package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.verification.engines.Database;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.Ledger.Target;
import dev.leasehold.verification.engines.PostgresNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real SIGSTOP, right after a holder has found that it holds its lease and right before it
 * writes; it goes on when somebody else has long taken over. Its late write is refused by a fence
 * (I4) and by a check at effect (I5), it no longer trusts its lease (I6) and is told of the loss
 * (I9). Without a fence the write lands: that is the control.
 */
class PausedHolderTest {
  private static final long TTL_MILLIS = 1_000;

  @TempDir Path folder;

  @Test
  void onPostgresTheLateWriteIsRefused() {
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      pauseOverTheTakeover(node.database());
    }
  }

  @Test
  void onSqliteTheLateWriteIsRefused() {
    pauseOverTheTakeover(new Database("sqlite:" + folder.resolve("leases.db")));
  }

  private void pauseOverTheTakeover(Database database) {
    new Journal(database).install();
    try (Crew crew = new Crew()) {
      Crew.Member first = hire(crew, "first", database);
      Crew.Member second = hire(crew, "second", database);
      first.await("ready", 1);
      second.await("ready", 1);
      first.tell("acquire");
      first.await("held", 1);
      first.tell("check");
      first.await("trusts", 1);

      stopBetweenWrites(first, database);
      second.tell("acquire");
      second.await("held", 1);
      second.tell("write");
      second.await("wrote", Target.values().length);
      first.tell("write");
      first.resume();

      first.await("wrote unfenced", 1);
      first.await("rejected fenced", 1);
      first.await("rejected at-effect", 1);
      first.await("lost", 1);
      first.tell("check");
      first.await("does not trust", 1);
      crew.finish();

      Verdict verdict = Judging.judge(database, crew.events(), List.of());
      verdict.requireClean();
      verdict.tally().requireAtLeast(Count.TAKEOVERS, 1);
      verdict.tally().requireAtLeast(Count.REFUSALS, 2);
      Verdict control = Judging.judgeUnfenced(database, crew.events());
      assertThat(control.broken()).containsExactly(Invariant.I4);
    }
  }

  /**
   * On SQLite nobody gets any further while a process is stopped inside a write transaction, as a
   * renewal is. That is said in the protocol, and it is not what is tried here.
   */
  private static void stopBetweenWrites(Crew.Member member, Database database) {
    member.stop();
    while (database.isSqlite() && !isWritable(database)) {
      member.resume();
      member.stop();
    }
  }

  private static boolean isWritable(Database database) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      statement.execute("ROLLBACK");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private Crew.Member hire(Crew crew, String name, Database database) {
    Path history = folder.resolve(name + ".history");
    return crew.hire(
        Puppet.class,
        name,
        history,
        List.of(name, database.url(), history.toString(), Long.toString(TTL_MILLIS)));
  }
}
