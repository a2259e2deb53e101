package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.cli.config.Config.Sources;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which source wins, and what is refused. */
class ConfigTest {
  @TempDir private Path folder;
  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);
  private final List<String> assignments = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private Optional<Path> file = Optional.empty();

  private void write(String text) {
    try {
      file = Optional.of(Files.writeString(folder.resolve("leasehold.yaml"), text));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Config config() {
    return Config.of(new Sources(flags, assignments, EnvironmentVariables.of(environment), file));
  }

  private LeaseTimes lease(String key) {
    return config().lease(new LeaseKey(key), Map.of());
  }

  /** A value that the setting can have, and that is not its default. */
  private static List<String> samples(Setting setting) {
    Value value = setting.value();
    if (value.words().size() > 1) {
      return value.words().stream().filter(word -> !word.equals(setting.usual())).toList();
    }
    return List.of("11s", "7", "h:1", "text").stream()
        .filter(text -> value.complaint(text).isEmpty())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void everySettingIsReadFromEverySourceAndFlagsBeatVariablesBeatLines(Setting setting) {
    SettingPath settingPath = new SettingPath(setting, setting.isNamed() ? "a-b/c.d" : "");
    if (setting.path().contains("kinds")) {
      settingPath = new SettingPath(setting, "a-b.c");
    }
    String text = samples(setting).getFirst();

    assertThat(config().given(settingPath)).isEmpty();
    write(nested(settingPath, text));
    String meant = setting.from(folder, text);
    assertThat(config().given(settingPath))
        .contains(new GivenValue(meant, file.orElseThrow() + ":" + line()));
    environment.put(settingPath.variable(), text);
    assertThat(config().given(settingPath)).contains(new GivenValue(text, settingPath.variable()));
    assignments.add(settingPath.path() + "=" + text);
    assertThat(config().given(settingPath)).contains(new GivenValue(text, "--set"));
    if (setting.flag().isPresent()) {
      assignments.clear();
      flags.put(setting, text);
      assertThat(config().given(settingPath)).contains(new GivenValue(text, setting.flag().get()));
    }
  }

  private String nested(SettingPath settingPath, String text) {
    StringBuilder yaml = new StringBuilder("# a comment\n");
    int depth = 0;
    for (String segment : settingPath.setting().segments()) {
      String name = segment.equals("*") ? settingPath.name() : segment;
      yaml.append("  ".repeat(depth++)).append("'").append(name).append("':\n");
    }
    yaml.setLength(yaml.length() - 1);
    return yaml.append(" '").append(text).append("'\n").toString();
  }

  private long line() {
    try (var lines = Files.lines(file.orElseThrow())) {
      return lines.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDefaultIsAValueThatTheSettingCanHave(Setting setting) {
    assertThat(setting.usualValue().flatMap(setting.value()::complaint)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          lisen: x              | 1: there is no setting 'lisen'; did you mean listen?
          tls: {cert: x}        | 1: there is no setting 'tls.cert'; did you mean tls.certificate?
          certificate: x        | did you mean tls.certificate?
          leases: {kind: {}}    | 'leases.kind'; did you mean leases.kinds?
          leases: {kinds: {cron: {tll: 1s}}} | did you mean leases.kinds.cron.ttl?
          leases: {kinds: {a/b: {ttl: 1s}}}  | slash
          leases: {reactors: {cron: {ttl: 1s}}} | kind/name
          leases: {kinds: {cron: 5s}} | leases.kinds.cron has settings in it
          leases: {defaults: {ttl: 30}} | 1: leases.defaults.ttl is a duration, written 500ms
          leases: {defaults: {stall: never}} | or none, not 'never'
          log: {format: xml}    | log.format is text or json, not 'xml'
          log: text             | log has settings in it
          listen: 7420          | listen is written HOST:PORT, not '7420'
          listen: a:99999       | listen is written HOST:PORT
          listen:               | listen is written HOST:PORT, not ''
          listen: [a, b]        | listen is written HOST:PORT, and one value
          keys: {required: yes} | true or false, not 'yes'
          limits: {waiting: 0}  | a number of requests from 1 to 1000000
          schema: perhaps       | auto or check
          - store               | the file has settings in it
          [a]: b                | a name is expected
          store: memory:        | 1: this is no YAML: mapping values are not allowed here
          """)
  void whatIsWrongInTheFileIsSaidWithItsLine(String text, String expected) {
    write(text);
    assertThatThrownBy(this::config)
        .isInstanceOf(IllFormedException.class)
        .hasMessageStartingWith(file.orElseThrow() + ":1: ")
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          store: sqlite:a.db            | STORE           | sqlite:/etc/a.db
          store: jdbc:sqlite:../a.db    | STORE           | jdbc:sqlite:/etc/../a.db
          store: sqlite:/var/a.db       | STORE           | sqlite:/var/a.db
          store: jdbc:postgresql://db/a | STORE           | jdbc:postgresql://db/a
          store: sqlite:file:a.db?x=1   | STORE           | sqlite:file:/etc/a.db?x=1
          store: sqlite:file::memory:   | STORE           | sqlite:file::memory:
          store: sqlite::memory:        | STORE           | sqlite::memory:
          tls.certificate: a.pem        | TLS_CERTIFICATE | /etc/a.pem
          tls.key: k/a.pem              | TLS_KEY         | /etc/k/a.pem
          trust: a.pem                  | TRUST           | /etc/a.pem
          data: .                       | DATA            | /etc/.
          listen: a:1                   | LISTEN          | a:1
          """)
  void aPathInAFileStartsInItsFolder(String line, Setting setting, String expected) {
    String text = line.substring(line.indexOf(' ') + 1);
    write(nested(SettingPath.of(setting), text));
    String meant = config().given(setting).orElseThrow().text();
    assertThat(meant).isEqualTo(expected.replace("/etc", folder.toString()));
    flags.put(setting, text);
    assertThat(config().given(setting).orElseThrow().text()).isEqualTo(text);
  }

  @Test
  void theLineIsThatOfTheMistake() {
    write("# one\nlisten: 127.0.0.1:1\n\nlog:\n  format: text\n  colour: red\n");
    assertThatThrownBy(this::config).hasMessageContaining("leasehold.yaml:6: ");
    write("listen: a:1\nlisten: a:2\n");
    assertThatThrownBy(this::config)
        .hasMessageContaining("leasehold.yaml:2: listen is there twice");
  }

  @Test
  void anEmptyFileAndSectionsWithNothingInThemSetNothing() {
    for (String text : List.of("", "# nothing\n", "tls:\n  # key: x\nleases:\n  kinds:\n")) {
      write(text);
      assertThat(config().text(Setting.LISTEN)).isEqualTo("127.0.0.1:7420");
    }
  }

  @Test
  void aFileThatIsNotThereIsSaid() {
    file = Optional.of(folder.resolve("none.yaml"));
    assertThatThrownBy(this::config).hasMessageContaining("there is no file");
    file = Optional.of(folder.getRoot());
    assertThatThrownBy(this::config).isInstanceOf(IllFormedException.class);
  }

  @Test
  void whatIsWrongInTheEnvironmentOrAFlagIsSaidThoughAnotherWouldWin() {
    environment.put("LEASEHOLD_LOG_LEVEL", "loud");
    flags.put(Setting.LOG_LEVEL, "debug");
    assertThatThrownBy(this::config).hasMessageStartingWith("LEASEHOLD_LOG_LEVEL: log.level is");
    environment.clear();
    assignments.add("leases.kinds.cron.tll=1s");
    assertThatThrownBy(this::config).hasMessageContaining("did you mean leases.kinds.");
    assignments.set(0, "log.level=info");
    assertThatThrownBy(this::config).hasMessage("log.level is set twice, by --log-level and --set");
    assignments.set(0, "log.level");
    assertThatThrownBy(this::config).hasMessageContaining("PATH=VALUE");
  }

  @Test
  void theMostSpecificWinsWhereverItIsSaid() {
    write(
        """
        leases:
          defaults: {ttl: 1m, stall: 10m}
          kinds:
            cron: {ttl: 2m, heartbeat: 5s}
          reactors:
            cron/nightly: {ttl: 3m, stall: none}
        """);
    assertThat(lease("lock/a")).isEqualTo(times("1m", "", "10m"));
    assertThat(lease("cron/hourly")).isEqualTo(times("2m", "5s", "10m"));
    assertThat(lease("cron/nightly")).isEqualTo(times("3m", "5s", ""));

    environment.put("LEASEHOLD_LEASES_DEFAULTS_TTL", "4m");
    environment.put("LEASEHOLD_LEASES_KINDS_CRON_TTL", "5m");
    assertThat(lease("lock/a").ttl()).isEqualTo(Duration.ofMinutes(4));
    assertThat(lease("cron/hourly").ttl()).isEqualTo(Duration.ofMinutes(5));
    assertThat(lease("cron/nightly").ttl()).as("the key").isEqualTo(Duration.ofMinutes(3));
    environment.put("LEASEHOLD_LEASES_REACTORS_CRON_NIGHTLY_TTL", "6m");
    assertThat(lease("cron/nightly").ttl()).isEqualTo(Duration.ofMinutes(6));
    assignments.add("leases.reactors.cron/nightly.ttl=7m");
    assertThat(lease("cron/nightly").ttl()).isEqualTo(Duration.ofMinutes(7));
    LeaseTimes now =
        config()
            .lease(
                new LeaseKey("cron/nightly"),
                Map.of(Setting.REACTOR_TTL, new GivenValue("8m", "--ttl")));
    assertThat(now.ttl()).isEqualTo(Duration.ofMinutes(8));
  }

  private static LeaseTimes times(String ttl, String heartbeat, String stall) {
    return new LeaseTimes(
        Value.duration(ttl),
        Optional.of(heartbeat).filter(text -> !text.isEmpty()).map(Value::duration),
        Optional.of(stall).filter(text -> !text.isEmpty()).map(Value::duration));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          defaults: {ttl: 5s, heartbeat: 5s}
          defaults: {heartbeat: 30s}
          kinds: {cron: {heartbeat: 31s}}
          reactors: {cron/a: {ttl: 1s, heartbeat: 2s}}
          {defaults: {heartbeat: 10s}, kinds: {cron: {ttl: 9s}}}
          """)
  void aHeartbeatThatIsNotBelowTheTtlIsRefusedWhenItIsRead(String leases) {
    write("leases: " + (leases.startsWith("{") ? leases : "{" + leases + "}"));
    assertThatThrownBy(this::config)
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("is not below the ttl of")
        .hasMessageContaining("leasehold.yaml:1");
  }

  @Test
  void aHeartbeatThatOnlyTheLeaseOfNowMakesTooLongIsRefused() {
    assignments.add("leases.defaults.heartbeat=10s");
    Map<Setting, GivenValue> now = Map.of(Setting.REACTOR_TTL, new GivenValue("5s", "--ttl"));
    assertThatThrownBy(() -> config().lease(new LeaseKey("lock/a"), now))
        .hasMessage("a heartbeat of 10s (--set) is not below the ttl of 5s (--ttl)");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://u:p@ss@h/db, jdbc:postgresql://u:***@h/db",
    "jdbc:postgresql://u:p/ss@h/db?ssl=true, jdbc:postgresql://u:***@h/db?ssl=true",
    "jdbc:postgresql://u@x:ss@h/db, jdbc:postgresql://:***@h/db",
    "jdbc:postgresql://h/db?password=a;b&user=u, jdbc:postgresql://h/db?password=***&user=u",
    "jdbc:postgresql://h/db?user=u@x&sslpassword=a@b,"
        + " jdbc:postgresql://h/db?user=u@x&sslpassword=***",
    "sqlite:a/leases.db, sqlite:a/leases.db"
  })
  void noPartOfAPasswordIsShown(String url, String shown) {
    assertThat(PrintedConfig.masked(url)).isEqualTo(shown);
  }

  @Test
  void variablesOfKindsAreShownAndChecked() {
    environment.put("LEASEHOLD_LEASES_KINDS_CRON_TTL", "1m");
    environment.put("LEASEHOLD_LEASES_REACTORS_CRON_A_STALL", "none");
    assignments.add("leases.reactors.cron/a.ttl=2m");
    assertThat(PrintedConfig.of(config()))
        .contains(
            "# LEASEHOLD_LEASES_KINDS_CRON_TTL=1m",
            "# LEASEHOLD_LEASES_REACTORS_CRON_A_STALL=none");
    environment.put("LEASEHOLD_LEASES_KINDS_CRON_TTL", "1");
    assertThatThrownBy(this::config)
        .hasMessage(
            "LEASEHOLD_LEASES_KINDS_CRON_TTL: leases.kinds.NAME.ttl is a duration, written 500ms,"
                + " 30s, 5m or 1h, not '1'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"api_key", "apiKey", "api-key"})
  void anApiKeyIsNoSetting(String name) {
    write(name + ": lh_x");
    assertThatThrownBy(this::config)
        .hasMessageEndingWith(
            ":1: there is no setting '"
                + name
                + "'; an API key is a secret, and is taken from LEASEHOLD_API_KEY only");
  }

  @Test
  void whatIsPrintedSaysWhereItCameFromAndIsReadAgainAsTheSame() {
    write("store: 'jdbc:postgresql://u:pw@db/app?user=x&password=geheim'\nlog: {level: debug}\n");
    environment.put("LEASEHOLD_LISTEN", "127.0.0.1:1");
    assignments.add("leases.kinds.cron.ttl=1m");
    assignments.add("leases.reactors.cron/it's.stall=none");
    List<String> printed = PrintedConfig.of(config());
    assertThat(printed)
        .contains(
            "store: 'jdbc:postgresql://u:***@db/app?user=x&password=***'  # "
                + file.orElseThrow()
                + ":1",
            "listen: '127.0.0.1:1'  # LEASEHOLD_LISTEN",
            "schema: auto  # default",
            "  level: debug  # " + file.orElseThrow() + ":2",
            "  # certificate:  # not set",
            "    # heartbeat:  # not set: a third of the ttl",
            "      ttl: 1m  # --set",
            "    'cron/it''s':")
        .noneMatch(line -> line.contains("geheim") || line.contains("pw@"));

    environment.clear();
    assignments.clear();
    write(String.join("\n", printed));
    assertThat(
            PrintedConfig.of(config()).stream()
                .map(line -> line.replaceAll("  # .*", "").replace(folder + "/", "")))
        .isEqualTo(printed.stream().map(line -> line.replaceAll("  # .*", "")).toList());
    assertThat(lease("cron/x").ttl()).isEqualTo(Duration.ofMinutes(1));
  }
}
