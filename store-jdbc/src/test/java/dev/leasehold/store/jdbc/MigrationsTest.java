package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How a script is taken apart. */
class MigrationsTest {
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
