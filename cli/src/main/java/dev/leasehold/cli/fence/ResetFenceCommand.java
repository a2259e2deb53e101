package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreOptions;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.place.StorePlace;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.remote.wire.JsonOut;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fence reset}: an operator makes a target forget the mark of a key. */
@Command(
    name = "reset",
    description = "Forget the mark of a key in a target; recorded with your name and reason.",
    footer = {
      "",
      "For a mark that an invented token, or a store that was restored, has left too high. Until"
          + " the holder seals the target again, the first caller is admitted, even a replaced"
          + " holder.",
      "",
      "Example:",
      "  leasehold fence reset --target ledger --key leader/billing --why \"ticket 7\" \\",
      "      --target-store jdbc:postgresql://ledger-db/ledger"
    })
@SuppressWarnings("NullAway.Init") // picocli sets required options before the command runs
public final class ResetFenceCommand implements Callable<Integer> {
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

  private final CommandContext context;

  public ResetFenceCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    StorePlace place =
        targetStore
            .map(StorePlace::ofDatabase)
            .orElseGet(() -> options.storePlace(context, "marks need"));
    if (place.isMemory()) {
      throw new CommandFailedException(
          Exit.USAGE, "a store in memory has no marks: name the target's by --target-store");
    }
    String operator =
        by.or(() -> context.environment().apply("USER")).orElse("operator at a shell");
    Optional<Token> stood = place.builder().database(database -> reset(database, operator));
    String sentence =
        stood
            .map(token -> "the mark of " + key + " in " + target + " stood at " + token)
            .orElse(target + " had no mark of " + key);
    CommandResult answer = new CommandResult(Exit.DONE, out -> write(out, stood), sentence);
    return context.print(answer, options.json).code();
  }

  private void write(JsonOut out, Optional<Token> stood) {
    out.text("outcome", "reset").text("target", target).text("key", key.text());
    stood.ifPresent(token -> out.number("mark", token.value()));
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
      throw StoreCalls.failure(e);
    }
  }
}
