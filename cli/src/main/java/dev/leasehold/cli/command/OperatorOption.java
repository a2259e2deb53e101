package dev.leasehold.cli.command;

import dev.leasehold.kernel.model.Operator;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The operator's name, which is recorded with the act. */
public final class OperatorOption {
  @Option(names = "--by", paramLabel = "NAME", description = "Who does it. Else USER.")
  Optional<String> by = Optional.empty();

  public Operator operator(CommandContext context) {
    return new Operator(
        by.or(() -> context.environment().apply("USER")).orElse("operator at a shell"));
  }
}
