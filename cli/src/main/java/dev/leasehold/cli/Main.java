package dev.leasehold.cli;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.config.Variables;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code leasehold}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(CommandContext.ofProcess(), args));
  }

  static int run(CommandContext context, String... args) {
    CommandLine line = Commands.named(context, List.of(args));
    Values.register(line);
    line.setOut(context.out());
    line.setErr(context.err());
    line.setUsageHelpAutoWidth(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            context.hasColours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    line.setParameterExceptionHandler((e, arguments) -> complain(context, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> complain(context, e));
    Variables.warnings(context.environment())
        .forEach(warning -> context.err().println("leasehold: warning: " + warning));
    int code = line.execute(args);
    context.out().flush();
    context.err().flush();
    return code;
  }

  /** Prints one sentence about the fault, and a hint to the help. */
  private static int complain(CommandContext context, ParameterException e) {
    String sentence = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      sentence += " (did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?)";
    }
    if (e instanceof UnmatchedArgumentException unmatched
        && unmatched.isUnknownOption()
        && !e.getCommandLine().getSubcommands().isEmpty()) {
      sentence += " (options come after the command, as in leasehold lease list --store URL)";
    }
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    context.err().println("leasehold: " + sentence + "; see " + command + " --help");
    return Exit.USAGE.code();
  }

  private static int complain(CommandContext context, Exception e) {
    CommandFailedException failure = StoreCalls.failure(e);
    context.err().println("leasehold: " + Advice.in(String.valueOf(failure.getMessage())));
    if (context.environment().apply("LEASEHOLD_DEBUG").isPresent()) {
      context.err().print(trace(e));
    }
    return failure.exit().code();
  }

  private static String trace(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      text.append(next).append(System.lineSeparator());
      for (StackTraceElement element : next.getStackTrace()) {
        text.append("    at ").append(element).append(System.lineSeparator());
      }
    }
    return text.toString();
  }
}
