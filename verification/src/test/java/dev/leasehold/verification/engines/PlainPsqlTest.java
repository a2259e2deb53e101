package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.effects.Guard;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The owner of a guarded table, over psql, without any client code of Leasehold: a change without a
 * token, or with a stale one, an invented one or another lease's, is refused (I5), and one with the
 * current token is not.
 */
class PlainPsqlTest {
  private static final String UPDATE = "UPDATE orders SET text = 'changed'";

  @TempDir Path folder;

  @Test
  void theOwnerOfATableComesPastItsGuardOnlyWithTheCurrentToken() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "psql"))),
        "SKIPPED: psql is not installed (Debian: apt-get install postgresql-client)");
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"))) {
      node.database().execute("CREATE ROLE app LOGIN");
      node.database().execute("CREATE DATABASE app OWNER app");
      String url = node.url().replace("/postgres?user=postgres", "/app?user=app");
      try (JdbcStore store = JdbcStore.at(url).migrate().open();
          Leases leases = Leases.on(store).holder("holder").open()) {
        new Database(url)
            .execute(
                "CREATE TABLE orders AS SELECT 'shard/a'::text AS lease, 'as it was'::text AS"
                    + " text");
        Guard unused =
            store.guards().install(Guard.byColumn("orders", "lease")).toCompletableFuture().get();
        Token stale;
        try (Lease first = acquire(leases, "shard/a")) {
          stale = first.token();
        }
        try (Lease current = acquire(leases, "shard/a");
            Lease other = acquire(leases, "shard/b")) {
          Psql psql = new Psql(node.port());
          psql.isRefused("LH001", UPDATE);
          psql.isRefused("LH002", bring(current.key(), stale), UPDATE);
          psql.isRefused("LH003", bring(current.key(), Token.HIGHEST), UPDATE);
          psql.isRefused("LH004", bring(other.key(), other.token()), UPDATE);
          psql.isRefused("LH004", bring(current.key(), current.token()), "TRUNCATE orders");
          assertThat(psql.run("SELECT text FROM orders").said()).contains("as it was");

          assertThat(psql.run(bring(current.key(), current.token()), UPDATE).status()).isZero();
          assertThat(psql.run("SELECT text FROM orders").said()).contains("changed");
        }
      }
    }
  }

  private static Lease acquire(Leases leases, String key) throws InterruptedException {
    Acquisition acquisition = leases.tryAcquire(LeaseRequest.of(key));
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  private static String bring(LeaseKey key, Token token) {
    return "SELECT leasehold_bring('%s', %s)".formatted(key, token);
  }

  /** Runs statements in one transaction, as the owner of the table. */
  private record Psql(int port) {
    record Result(int status, String said) {}

    Result run(String... statements) throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(
                  List.of(
                      "psql",
                      "--no-psqlrc",
                      "--single-transaction",
                      "--set=ON_ERROR_STOP=1",
                      "--set=VERBOSITY=verbose",
                      "--host=127.0.0.1",
                      "--port=" + port,
                      "--username=app",
                      "--dbname=app",
                      "--file=-"))
              .redirectErrorStream(true)
              .start();
      try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
        input.write(String.join(";\n", statements) + ";\n");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), said);
    }

    void isRefused(String state, String... statements) throws IOException, InterruptedException {
      Result result = run(statements);
      assertThat(result.status()).as(result.said()).isNotZero();
      assertThat(result.said()).contains("ERROR:  " + state + ": ");
    }
  }
}
