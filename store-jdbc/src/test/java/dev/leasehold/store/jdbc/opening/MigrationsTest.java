package dev.leasehold.store.jdbc.opening;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.store.jdbc.connections.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a script is split into statements. */
class MigrationsTest {
  static List<Dialect> dialects() {
    return List.of(Dialect.SQLITE, Dialect.POSTGRESQL, Dialect.COCKROACHDB);
  }

  /** A step is never changed once released; what marks need then comes in another step. */
  @ParameterizedTest
  @MethodSource("dialects")
  void the_tables_of_marks_are_those_of_the_fence(Dialect dialect) throws IOException {
    String folder = dialect.equals(Dialect.SQLITE) ? "sqlite" : "postgresql";
    try (InputStream in = JdbcFence.class.getResourceAsStream(folder + "/create-tables.sql")) {
      String ofFence = new String(requireNonNull(in).readAllBytes(), UTF_8);
      assertThat(withoutComments(new Migrations(dialect).text()))
          .contains(withoutComments(ofFence).strip());
    }
  }

  private static String withoutComments(String sql) {
    return sql.replaceAll("(?m)^ *--.*\\n", "").replaceAll("\\n+", "\n");
  }

  @Test
  void a_semicolon_ends_a_statement_unless_it_is_in_a_function_or_a_comment() {
    assertThat(
            Migrations.statements(
                """
                -- first;
                CREATE TABLE a (id integer);

                CREATE FUNCTION f() RETURNS void AS $body$
                BEGIN
                  EXECUTE $inner$ SELECT 1; $inner$;
                END
                $body$;
                SELECT 1;
                """))
        .containsExactly(
            "-- first;\nCREATE TABLE a (id integer);",
            """
            CREATE FUNCTION f() RETURNS void AS $body$
            BEGIN
              EXECUTE $inner$ SELECT 1; $inner$;
            END
            $body$;\
            """,
            "SELECT 1;");
  }
}
