package dev.leasehold.cli.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The variables of the environment. One that is empty is not set. */
public interface Environment extends Function<String, Optional<String>> {
  /** All that there are, set or empty. */
  Set<String> names();

  static Environment of(Map<String, String> variables) {
    return new Environment() {
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
