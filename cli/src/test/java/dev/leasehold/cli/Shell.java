package dev.leasehold.cli;

import dev.leasehold.cli.config.Environment;
import dev.leasehold.kernel.spi.LeaseStore;
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
final class Shell {
  final Map<String, String> environment = new TreeMap<>();
  Function<LeasePlace, LeaseStore> stores = LeasePlace::open;
  Interruptions interruptions = task -> () -> {};

  /** Where commands are called. */
  Path folder = Path.of("");

  /** Whether what commands print is read on a terminal. */
  boolean terminal;

  /** What the next command finds on its standard input. */
  byte[] input = {};

  /** What the last command printed, byte by byte. */
  byte[] output = {};

  /** What a command printed and ended with. */
  record Result(int code, String out, String err) {
    /** The text or number of a JSON member. */
    String member(String name) {
      Matcher matcher = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(out);
      if (!matcher.find()) {
        throw new AssertionError("no member " + name + " in " + out + err);
      }
      return matcher.group(1);
    }
  }

  Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    Surroundings surroundings =
        new Surroundings(
            Environment.of(environment),
            new PrintWriter(out, false, StandardCharsets.UTF_8),
            new PrintWriter(err),
            stores,
            interruptions,
            Ticker.system(),
            new Surroundings.Streams(new ByteArrayInputStream(input), out, terminal),
            folder);
    int code = Main.run(surroundings, args);
    output = out.toByteArray();
    return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString());
  }
}
