package dev.leasehold.cli;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.output.Exit;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code completion}: prints a script by which a shell completes commands, options and words. */
@Command(
    name = "completion",
    description = "Print a script by which a shell completes commands and options.",
    footer = {
      "",
      "To have it in every new shell, keep what is printed: for bash in"
          + " ~/.local/share/bash-completion/completions/leasehold; for zsh in a file that"
          + " ~/.zshrc names in a line: source FILE.",
      "",
      "Examples:",
      "  source <(leasehold completion bash)",
      "  leasehold completion zsh > ~/.leasehold-completion.zsh"
    })
@SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
final class CompletionCommand implements Callable<Integer> {
  /** The shells that the script works in. */
  enum ForShell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "bash|zsh", description = "Which shell it is for.")
  ForShell shell;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  private final CommandContext context;

  CompletionCommand(CommandContext context) {
    this.context = context;
  }

  /** One script for both shells: in zsh it first loads the support for bash completion. */
  @Override
  public Integer call() {
    context.out().print(AutoComplete.bash("leasehold", Commands.all(context)));
    return Exit.DONE.code();
  }
}
