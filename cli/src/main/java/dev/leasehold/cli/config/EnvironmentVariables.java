package dev.leasehold.cli.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The environment variables. An empty one counts as not set. */
public interface EnvironmentVariables extends Function<String, Optional<String>> {
  /** The names of all variables, including empty ones. */
  Set<String> names();

  static EnvironmentVariables of(Map<String, String> variables) {
    return new EnvironmentVariables() {
      @Override
      public Optional<String> apply(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
      }

      @Override
      public Set<String> names() {
        return variables.keySet();
      }
    };
  }
}
