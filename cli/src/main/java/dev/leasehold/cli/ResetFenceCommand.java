package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fence reset}: an operator lets a target forget the mark of a key. */
@Command(
    name = "reset",
    description = "Forget the mark of a key in a target; recorded with your name and reason.",
    footer = {
      "",
      "For a mark that an invented token, or a store that was restored, has left too"
          + " high. Until the holder seals the target again, whoever comes first is admitted,"
          + " replaced holders included.",
      "",
      "Example:",
      "  leasehold fence reset --target ledger --key leader/billing --why \"ticket 7\" \\",
      "      --target-store jdbc:postgresql://ledger-db/ledger"
    })
@SuppressWarnings("NullAway.Init") // what is required, picocli sets before the command runs
final class ResetFenceCommand implements Callable<Integer> {
  @Mixin final StoreOptions options = new StoreOptions();

  @Option(names = "--target", paramLabel = "T", required = true, description = "The target's name.")
  String target;

  @Option(names = "--key", paramLabel = "K", required = true, description = "The key of the mark.")
  LeaseKey key;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, which stays on record.")
  String why;

  @Option(names = "--by", paramLabel = "NAME", description = "Who resets it. Else USER.")
  Optional<String> by = Optional.empty();

  @Option(
      names = "--target-store",
      paramLabel = "URL",
      description = "The database that the target's marks are in. Else the one of the leases.")
  Optional<String> targetStore = Optional.empty();

  private final Surroundings surroundings;

  ResetFenceCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    StorePlace place =
        targetStore
            .map(StorePlace::ofDatabase)
            .orElseGet(() -> options.storePlace(surroundings, "marks need"));
    if (place.isMemory()) {
      throw new CommandFailedException(
          Exit.USAGE, "a store in memory has no marks: name the target's by --target-store");
    }
    String operator =
        by.or(() -> surroundings.environment().apply("USER")).orElse("operator at a shell");
    Optional<Token> stood = place.builder().database(database -> reset(database, operator));
    Json json = new Json().with("outcome", "reset").with("target", target).with("key", key.text());
    stood.ifPresent(token -> json.with("mark", token.value()));
    String sentence =
        stood
            .map(token -> "the mark of " + key + " in " + target + " stood at " + token)
            .orElse(target + " had no mark of " + key);
    return surroundings.print(new Answer(Exit.DONE, json, sentence), options.json).code();
  }

  private Optional<Token> reset(DataSource database, String operator) {
    requireMarks(database);
    return JdbcFence.before(target, database).reset(key, operator, why);
  }

  private static void requireMarks(DataSource database) {
    try (var connection = database.getConnection();
        var tables = connection.getMetaData().getTables(null, null, "leasehold_mark", null)) {
      if (!tables.next()) {
        throw new CommandFailedException(
            Exit.USAGE,
            "no target keeps marks in this database: name the target's by --target-store");
      }
    } catch (SQLException e) {
      throw Asking.failure(e);
    }
  }
}
