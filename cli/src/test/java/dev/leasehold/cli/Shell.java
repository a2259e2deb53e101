package dev.leasehold.cli;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.Interruptions;
import dev.leasehold.cli.config.EnvironmentVariables;
import dev.leasehold.cli.place.LeasePlace;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.spi.Ticker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs commands as a shell would, in this process. */
public final class Shell {
  public final Map<String, String> environment = new TreeMap<>();
  public Function<LeasePlace, Store> stores = LeasePlace::open;
  public Interruptions interruptions = task -> () -> {};

  /** The working directory of commands. */
  Path folder = Path.of("");

  /** Whether the output of commands is a terminal. */
  public boolean terminal;

  /** The standard input of the next command. */
  public byte[] input = {};

  /** The bytes that the last command printed. */
  public byte[] output = {};

  /** The output and the exit code of a command. */
  public record Result(int code, String out, String err) {
    /** The text or number of a JSON member. */
    public String member(String name) {
      Matcher matcher = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(out);
      if (!matcher.find()) {
        throw new AssertionError("no member " + name + " in " + out + err);
      }
      return matcher.group(1);
    }
  }

  public Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    CommandContext context =
        new CommandContext(
            EnvironmentVariables.of(environment),
            new PrintWriter(out, false, StandardCharsets.UTF_8),
            new PrintWriter(err),
            stores,
            interruptions,
            Ticker.system(),
            new CommandContext.Streams(new ByteArrayInputStream(input), out, terminal),
            folder);
    int code = Main.run(context, args);
    output = out.toByteArray();
    return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString());
  }
}
