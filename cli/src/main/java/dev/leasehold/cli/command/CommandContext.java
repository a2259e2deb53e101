package dev.leasehold.cli.command;

import dev.leasehold.cli.config.EnvironmentVariables;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.output.JsonLine;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.spi.Ticker;
import java.io.Console;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Everything outside the process that a command uses.
 *
 * @param folder the working directory
 */
public record CommandContext(
    EnvironmentVariables environment,
    PrintWriter out,
    PrintWriter err,
    Function<LeasePlace, Store> stores,
    Interruptions interruptions,
    Ticker ticker,
    Streams streams,
    Path folder) {
  /**
   * Streams for input and output as bytes; printed texts use them too.
   *
   * @param terminal whether the output is a terminal
   */
  public record Streams(InputStream in, OutputStream out, boolean terminal) {}

  public static CommandContext ofProcess() {
    return new CommandContext(
        EnvironmentVariables.of(System.getenv()),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        LeasePlace::open,
        Interruptions.OF_PROCESS,
        Ticker.system(),
        new Streams(System.in, System.out, isTerminal()),
        Path.of(""));
  }

  /**
   * Since Java 22 there is a console object even without a terminal, and it tells the difference.
   */
  @SuppressWarnings("SystemConsoleNull") // before Java 22 it is null without a terminal
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  boolean isOnTerminal() {
    return streams.terminal();
  }

  /** Only on a terminal whose user has not switched colours off. */
  public boolean hasColours() {
    return isOnTerminal() && environment.apply("NO_COLOR").isEmpty();
  }

  public Exit print(CommandResult answer, boolean asJson) {
    if (asJson) {
      out.println(JsonLine.of(answer.json()));
    } else if (answer.exit() == Exit.DONE) {
      out.println(answer.sentence());
    } else {
      err.println("leasehold: " + answer.sentence());
    }
    return answer.exit();
  }
}
