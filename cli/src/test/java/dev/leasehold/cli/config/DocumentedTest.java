package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation of settings agrees with their list. */
class DocumentedTest {
  private static final Path DOCS = Path.of("..", "docs");

  @TempDir private Path folder;

  private static String row(Setting setting) {
    return Stream.of(
            code(setting.path().replace("*", "NAME")),
            code(setting.value().label()).replace("|", "\\|"),
            setting.usual().isEmpty() ? "" : setting.usual(),
            code(setting.variable()),
            code(setting.flag().orElse("--set")),
            setting.what())
        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
        .reduce("|", String::concat);
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  @Test
  void theTableOfSettingsIsTheList() throws IOException {
    List<String> expected = Stream.of(Setting.values()).map(DocumentedTest::row).toList();
    List<String> rows =
        Files.readAllLines(DOCS.resolve("configuration.md")).stream()
            .dropWhile(line -> !line.equals("## Settings"))
            .filter(line -> line.startsWith("| `"))
            .takeWhile(line -> line.startsWith("| `"))
            .limit(expected.size())
            .toList();
    assertThat(rows)
        .withFailMessage(() -> "the rows should be:\n" + String.join("\n", expected))
        .isEqualTo(expected);
  }

  private Config load(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("leasehold.yaml"), text);
    return Config.of(
        new Config.Sources(
            Map.of(), List.of(), EnvironmentVariables.of(Map.of()), Optional.of(file)));
  }

  @Test
  void theSampleOnThePageIsRead() throws IOException {
    Matcher sample =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("configuration.md")));
    assertThat(sample.find()).isTrue();
    Config config = load(sample.group(1));
    assertThat(config.text(Setting.LISTEN)).isEqualTo("0.0.0.0:7420");
    assertThat(config.given(new SettingPath(Setting.REACTOR_TTL, "cron/nightly-report")))
        .isPresent();
  }

  @Test
  void theMistakesOnThePageAreAnsweredSo() throws IOException {
    String page = Files.readString(DOCS.resolve("configuration.md"));
    for (String wrong :
        List.of("\n\ntls: {cert: x}", "\n".repeat(11) + "leases: {defaults: {ttl: 30}}")) {
      try {
        load(wrong);
        throw new AssertionError("this was read: " + wrong);
      } catch (dev.leasehold.fence.IllFormedException e) {
        assertThat(page).contains(String.valueOf(e.getMessage()).replace(folder + "/", ""));
      }
    }
  }

  /**
   * The sample sets nothing; with its comments removed it sets everything, mostly to the default.
   */
  @Test
  void theSampleFileHasEverySettingWithItsDefault() throws IOException {
    String sample = Files.readString(DOCS.resolve("leasehold.yaml"));
    assertThat(load(sample).settingPaths()).isEmpty();

    String opened =
        sample
            .lines()
            .map(line -> line.replaceFirst("^( *)# ( *[a-z/]+:( |$))", "$1$2"))
            .filter(line -> !line.strip().startsWith("#"))
            .reduce("", (all, line) -> all + line + "\n");
    Config config = load(opened);
    for (Setting setting : Setting.values()) {
      List<SettingPath> settingPaths =
          config.settingPaths().filter(settingPath -> settingPath.setting() == setting).toList();
      assertThat(settingPaths).as(setting.path()).hasSize(1);
      setting
          .usualValue()
          .ifPresent(
              usual ->
                  assertThat(config.given(settingPaths.getFirst()).orElseThrow().text())
                      .isEqualTo(setting.from(folder, usual)));
    }
  }
}
