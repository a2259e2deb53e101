package dev.leasehold.store.jdbc.connections;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of a dialect, by name. Each is a resource, from the first of the dialect's folders
 * that has it; {@code @{name}} in a statement stands for another. What is the same for several
 * tables is written once: in {@code @{name table=leasehold_lease}}, the other statement has the
 * given text wherever it says {@code <table>}.
 */
public final class Sql {
  public static final String ROOT = "/dev/leasehold/store/jdbc/";
  private static final Pattern VALUE = Pattern.compile("\\s([a-z]+)=(?:\"([^\"]*)\"|([a-z_]+))");
  private static final Pattern INCLUDE =
      Pattern.compile("@\\{([a-z-]+)((?:" + VALUE.pattern() + "|\\s)*)}");

  private final List<String> folders;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  Sql(List<String> folders) {
    this.folders = folders;
  }

  public String get(String name) {
    String known = texts.get(name);
    if (known != null) {
      return known;
    }
    String text = load(name);
    texts.put(name, text);
    return text;
  }

  private String load(String name) {
    String text =
        folders.stream()
            .map(folder -> resource(folder + "/" + name + ".sql"))
            .flatMap(Optional::stream)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no statement " + name + " in " + folders))
            .strip();
    return INCLUDE
        .matcher(text)
        .replaceAll(
            include -> Matcher.quoteReplacement(filled(get(include.group(1)), include.group(2))));
  }

  private static String filled(String text, String values) {
    String filled = text;
    Matcher value = VALUE.matcher(values);
    while (value.find()) {
      String given = value.group(2) == null ? value.group(3) : value.group(2);
      filled = filled.replace("<" + value.group(1) + ">", given);
    }
    return filled;
  }

  public static Optional<String> resource(String path) {
    try (InputStream in = Sql.class.getResourceAsStream(ROOT + path)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
