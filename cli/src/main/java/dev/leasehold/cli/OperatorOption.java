package dev.leasehold.cli;

import dev.leasehold.kernel.Operator;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Who acts on others' leases; it stays on record. */
final class OperatorOption {
  @Option(names = "--by", paramLabel = "NAME", description = "Who does it. Else USER.")
  Optional<String> by = Optional.empty();

  Operator operator(Surroundings surroundings) {
    return new Operator(
        by.or(() -> surroundings.environment().apply("USER")).orElse("operator at a shell"));
  }
}
