package dev.leasehold.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code leasehold}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Surroundings.ofProcess(), args));
  }

  static int run(Surroundings surroundings, String... args) {
    CommandLine line = commands(surroundings);
    Values.register(line);
    line.setOut(surroundings.out());
    line.setErr(surroundings.err());
    line.setUsageHelpAutoWidth(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            surroundings.hasColours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    line.setParameterExceptionHandler((e, arguments) -> complain(surroundings, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> complain(surroundings, e));
    int code = line.execute(args);
    surroundings.out().flush();
    surroundings.err().flush();
    return code;
  }

  static CommandLine commands(Surroundings surroundings) {
    CommandLine line = all(surroundings);
    ConfigOptions.offer(line);
    return line;
  }

  private static CommandLine all(Surroundings surroundings) {
    CommandLine lease =
        new CommandLine(new LeaseCommand())
            .addSubcommand(new AcquireCommand(surroundings))
            .addSubcommand(new RenewCommand(surroundings))
            .addSubcommand(new ReleaseCommand(surroundings))
            .addSubcommand(new HandOverCommand(surroundings))
            .addSubcommand(new RevokeCommand(surroundings))
            .addSubcommand(new ReopenCommand(surroundings))
            .addSubcommand(new ShowCommand(surroundings))
            .addSubcommand(new ListCommand(surroundings))
            .addSubcommand(new WatchCommand(surroundings));
    CommandLine incarnation =
        new CommandLine(new IncarnationCommand())
            .addSubcommand(new ShowIncarnationCommand(surroundings))
            .addSubcommand(new AdvanceIncarnationCommand(surroundings));
    CommandLine fence =
        new CommandLine(new FenceCommand())
            .addSubcommand(new ListFencesCommand(surroundings))
            .addSubcommand(new InstallFenceCommand(surroundings))
            .addSubcommand(new RemoveFenceCommand(surroundings))
            .addSubcommand(new ResetFenceCommand(surroundings));
    CommandLine keys =
        new CommandLine(new ApiKeyCommand())
            .addSubcommand(new CreateApiKeyCommand(surroundings))
            .addSubcommand(new ListApiKeysCommand(surroundings))
            .addSubcommand(new RevokeApiKeyCommand(surroundings));
    return new CommandLine(new LeaseholdCommand())
        .addSubcommand(new ServeCommand(surroundings))
        .addSubcommand(new ExecCommand(surroundings))
        .addSubcommand(lease)
        .addSubcommand(objects(surroundings))
        .addSubcommand(keys)
        .addSubcommand(fence)
        .addSubcommand(incarnation)
        .addSubcommand(new AuditCommand(surroundings))
        .addSubcommand(new MigrateCommand(surroundings))
        .addSubcommand(new DemoCommand(surroundings))
        .addSubcommand(new CompletionCommand(surroundings));
  }

  private static CommandLine objects(Surroundings surroundings) {
    return new CommandLine(new ObjectCommands())
        .addSubcommand(new GetObjectCommand(surroundings))
        .addSubcommand(new PutObjectCommand(surroundings))
        .addSubcommand(new DeleteObjectCommand(surroundings))
        .addSubcommand(new ListObjectsCommand(surroundings))
        .addSubcommand(new BindObjectCommand(surroundings))
        .addSubcommand(new UnbindObjectCommand(surroundings))
        .addSubcommand(new ListBindingsCommand(surroundings));
  }

  /** One sentence that says what is wrong, and where the right way is written. */
  private static int complain(Surroundings surroundings, ParameterException e) {
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
    surroundings.err().println("leasehold: " + sentence + "; see " + command + " --help");
    return Exit.USAGE.code();
  }

  private static int complain(Surroundings surroundings, Exception e) {
    CommandFailedException failure = Asking.failure(e);
    surroundings.err().println("leasehold: " + failure.getMessage());
    if (surroundings.environment().apply("LEASEHOLD_DEBUG").isPresent()) {
      surroundings.err().print(trace(e));
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
