package dev.leasehold.cli.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings that apply, as a valid file, with the source of each line. Secrets in URLs are not
 * shown.
 */
public final class PrintedConfig {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+-]+");

  /** Up to the last @ before the query, because a password may contain an @ and a slash. */
  private static final Pattern USER = Pattern.compile("//(?:([^/?@:]*):)?[^?]*@");

  private static final Pattern SECRET =
      Pattern.compile("(?i)([?&;][^=&;]*(?:pass|pwd|secret|token|key)[^=&;]*=)[^&]*");

  private final Config config;
  private final List<String> lines = new ArrayList<>();
  private List<String> open = List.of();

  private PrintedConfig(Config config) {
    this.config = config;
  }

  public static List<String> of(Config config) {
    PrintedConfig printed = new PrintedConfig(config);
    for (Setting setting : Setting.values()) {
      if (!setting.isNamed()) {
        printed.line(SettingPath.of(setting));
      }
    }
    // Sorted, so that the settings of one kind or key stand together.
    config
        .settingPaths()
        .filter(settingPath -> settingPath.setting().isNamed())
        .sorted(Comparator.comparing(PrintedConfig::section).thenComparing(SettingPath::setting))
        .forEach(printed::line);
    printed.variables();
    return printed.lines;
  }

  /**
   * Printed as comments: such a variable applies to every kind or key whose name in capitals is
   * this one.
   */
  private void variables() {
    Set<String> shown =
        config.settingPaths().map(SettingPath::variable).collect(Collectors.toSet());
    config
        .namedVariables()
        .filter(name -> !shown.contains(name))
        .forEach(name -> lines.add("# " + name + "=" + config.variable(name)));
  }

  private static String section(SettingPath settingPath) {
    return String.join("\0", names(settingPath).subList(0, names(settingPath).size() - 1));
  }

  /** The names of the sections around it, of which one may contain dots. */
  private static List<String> names(SettingPath settingPath) {
    return settingPath.setting().segments().stream()
        .map(segment -> segment.equals("*") ? settingPath.name() : segment)
        .toList();
  }

  private void line(SettingPath settingPath) {
    List<String> names = names(settingPath);
    List<String> sections = names.subList(0, names.size() - 1);
    int same = 0;
    while (same < Math.min(open.size(), sections.size())
        && open.get(same).equals(sections.get(same))) {
      same++;
    }
    for (int i = same; i < sections.size(); i++) {
      lines.add(indent(i) + quoted(sections.get(i)) + ":");
    }
    open = sections;
    lines.add(indent(sections.size()) + entry(settingPath, names.getLast()));
  }

  private String entry(SettingPath settingPath, String name) {
    return config
        .effective(settingPath)
        .map(given -> name + ": " + quoted(masked(given.text())) + "  # " + given.from())
        .orElseGet(
            () -> {
              String usual = settingPath.setting().usual();
              return "# " + name + ":  # not set" + (usual.isEmpty() ? "" : ": " + usual);
            });
  }

  private static String indent(int depth) {
    return "  ".repeat(depth);
  }

  private static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "''") + "'";
  }

  /** A URL that is safe to show: it hides too much rather than show a part of a password. */
  public static String masked(String text) {
    String withoutPassword = USER.matcher(text).replaceAll("//$1:***@");
    return SECRET.matcher(withoutPassword).replaceAll("$1***");
  }
}
