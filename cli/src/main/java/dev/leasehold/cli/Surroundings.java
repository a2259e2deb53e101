package dev.leasehold.cli;

import dev.leasehold.cli.config.Environment;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ticker;
import java.io.Console;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * All that a command sees of the world it runs in.
 *
 * @param folder where it was called
 */
record Surroundings(
    Environment environment,
    PrintWriter out,
    PrintWriter err,
    Function<LeasePlace, LeaseStore> stores,
    Interruptions interruptions,
    Ticker ticker,
    Streams streams,
    Path folder) {
  /**
   * For what is read and written byte by byte; texts that are printed go the same way.
   *
   * @param terminal whether what is printed is read on a terminal
   */
  record Streams(InputStream in, OutputStream out, boolean terminal) {}

  static Surroundings ofProcess() {
    return new Surroundings(
        Environment.of(System.getenv()),
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        LeasePlace::open,
        Interruptions.OF_PROCESS,
        Ticker.system(),
        new Streams(System.in, System.out, isTerminal()),
        Path.of(""));
  }

  /** Since Java 22 there is a console also where there is no terminal, and it says so. */
  @SuppressWarnings("SystemConsoleNull") // before 22 it is null where there is no terminal
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

  /** Only where somebody looks who has not said that they want none. */
  boolean hasColours() {
    return isOnTerminal() && environment.apply("NO_COLOR").isEmpty();
  }

  Exit print(Answer answer, boolean asJson) {
    if (asJson) {
      out.println(answer.json());
    } else if (answer.exit() == Exit.DONE) {
      out.println(answer.sentence());
    } else {
      err.println("leasehold: " + answer.sentence());
    }
    return answer.exit();
  }
}
