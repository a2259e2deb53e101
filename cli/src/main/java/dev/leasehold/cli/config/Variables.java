package dev.leasehold.cli.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which environment variables are settings, and which setting an unknown variable may have meant.
 * The name of a kind or a key cannot be derived from a variable, so variables of named settings are
 * recognised only by their prefix and suffix.
 */
public final class Variables {
  private static final String PREFIX = "LEASEHOLD_";
  private static final String ANY_NAME = "NAME";

  /**
   * Variables that are no settings but have another meaning, such as those that exec sets for its
   * command.
   */
  private static final Set<String> OTHERS =
      Set.of(
          "LEASEHOLD_CONFIG",
          "LEASEHOLD_API_KEY",
          "LEASEHOLD_INSTANCE",
          "LEASEHOLD_DEBUG",
          "LEASEHOLD_KEY",
          "LEASEHOLD_TOKEN",
          "LEASEHOLD_HOLDER",
          "LEASEHOLD_PROGRESS");

  /** Variables that Kubernetes sets for a service of that name, and those of tests. */
  private static final List<String> OF_OTHERS =
      List.of("LEASEHOLD_SERVICE_", "LEASEHOLD_PORT", "LEASEHOLD_TEST_");

  private Variables() {}

  /** A warning for each variable that is set and has no meaning. */
  public static List<String> warnings(EnvironmentVariables environment) {
    return environment.names().stream()
        .filter(name -> name.startsWith(PREFIX) && environment.apply(name).isPresent())
        .filter(name -> OF_OTHERS.stream().noneMatch(name::startsWith))
        .filter(name -> !isKnown(name))
        .sorted()
        .map(name -> "the variable " + name + " means nothing; did you mean " + nearest(name) + "?")
        .toList();
  }

  private static boolean isKnown(String name) {
    return OTHERS.contains(name)
        || ofNamed(name).isPresent()
        || Stream.of(Setting.values())
            .anyMatch(setting -> !setting.isNamed() && setting.variable().equals(name));
  }

  /** The setting of kinds or keys that the variable sets, if any. */
  static Optional<Setting> ofNamed(String variable) {
    return Stream.of(Setting.values())
        .filter(Setting::isNamed)
        .filter(
            setting -> {
              String begin = begin(setting);
              String end = end(setting);
              return variable.length() > begin.length() + end.length()
                  && variable.startsWith(begin)
                  && variable.endsWith(end);
            })
        .findFirst();
  }

  private static String begin(Setting setting) {
    return setting.variable().substring(0, setting.variable().indexOf(ANY_NAME));
  }

  private static String end(Setting setting) {
    return setting.variable().substring(begin(setting).length() + ANY_NAME.length());
  }

  private static String nearest(String unknown) {
    return Stream.concat(
            OTHERS.stream(), Stream.of(Setting.values()).map(setting -> like(setting, unknown)))
        .sorted()
        .min(Comparator.comparingInt(known -> Spelling.edits(unknown, known)))
        .orElseThrow();
  }

  /** Includes the name that the unknown variable contains, if it seems to have one. */
  private static String like(Setting setting, String unknown) {
    int last = unknown.lastIndexOf('_');
    return setting.isNamed() && unknown.startsWith(begin(setting)) && last > begin(setting).length()
        ? unknown.substring(0, last) + end(setting)
        : setting.variable();
  }
}
