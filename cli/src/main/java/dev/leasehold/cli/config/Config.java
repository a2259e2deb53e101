package dev.leasehold.cli.config;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings that apply. A flag goes before an environment variable, that before a line of the
 * file, that before the default. Every faulty value is refused when it is read, even if a value
 * from another source would be used.
 */
public final class Config {
  private static final String DEFAULT = "default";

  private final Map<SettingPath, GivenValue> flags;
  private final EnvironmentVariables environment;
  private final Map<SettingPath, GivenValue> lines;

  /**
   * The sources of settings.
   *
   * @param flags the flags that were given, by setting
   * @param assignments the arguments of {@code --set}: {@code PATH=VALUE}
   * @param file the file, if there is one
   */
  public record Sources(
      Map<Setting, String> flags,
      List<String> assignments,
      EnvironmentVariables environment,
      Optional<Path> file) {}

  private Config(Sources sources) {
    this.flags = flags(sources);
    this.environment = sources.environment();
    this.lines = sources.file().map(ConfigFile::read).orElse(Map.of());
  }

  public static Config of(Sources sources) {
    Config config = new Config(sources);
    for (Setting setting : Setting.values()) {
      if (!setting.isNamed()) {
        Optional<GivenValue> unused = config.variable(SettingPath.of(setting));
      }
    }
    config.namedVariables().forEach(config::requireValue);
    config.settingPaths().map(SettingPath::name).distinct().forEach(config::requireHeartbeat);
    return config;
  }

  private static Map<SettingPath, GivenValue> flags(Sources sources) {
    Map<SettingPath, GivenValue> flags = new LinkedHashMap<>();
    sources
        .flags()
        .forEach(
            (setting, text) -> {
              SettingPath settingPath = SettingPath.of(setting);
              flags.put(
                  settingPath,
                  settingPath.checked(new GivenValue(text, setting.flag().orElse("--set"))));
            });
    for (String assignment : sources.assignments()) {
      int equals = assignment.indexOf('=');
      if (equals < 1) {
        throw new IllFormedException("--set is written PATH=VALUE, not '" + assignment + "'");
      }
      String path = assignment.substring(0, equals);
      SettingPath settingPath = SettingPath.at(path).orElseThrow(() -> unknown(path));
      GivenValue given =
          settingPath.checked(new GivenValue(assignment.substring(equals + 1), "--set"));
      GivenValue before = flags.putIfAbsent(settingPath, given);
      if (before != null) {
        throw new IllFormedException(path + " is set twice, by " + before.from() + " and --set");
      }
    }
    return flags;
  }

  private static IllFormedException unknown(String path) {
    return new IllFormedException("--set: " + Spelling.unknown("", path));
  }

  /** The value given by any source; empty if none has set it. */
  public Optional<GivenValue> given(Setting setting) {
    return given(SettingPath.of(setting));
  }

  public Optional<GivenValue> givenByFlag(Setting setting) {
    return Optional.ofNullable(flags.get(SettingPath.of(setting)));
  }

  public Optional<GivenValue> givenByVariable(Setting setting) {
    return variable(SettingPath.of(setting));
  }

  /** The value from the file, if no flag and no variable goes before it. */
  public Optional<GivenValue> givenByFile(Setting setting) {
    return givenByFlag(setting).or(() -> givenByVariable(setting)).isPresent()
        ? Optional.empty()
        : Optional.ofNullable(lines.get(SettingPath.of(setting)));
  }

  Optional<GivenValue> given(SettingPath settingPath) {
    return Optional.ofNullable(flags.get(settingPath))
        .or(() -> variable(settingPath))
        .or(() -> Optional.ofNullable(lines.get(settingPath)));
  }

  private Optional<GivenValue> variable(SettingPath settingPath) {
    return environment
        .apply(settingPath.variable())
        .map(text -> settingPath.checked(new GivenValue(text, settingPath.variable())));
  }

  /**
   * The variables of kinds and keys. The name of a kind or key cannot be derived from a variable,
   * so the variables stand for themselves.
   */
  Stream<String> namedVariables() {
    return environment.names().stream()
        .filter(name -> Variables.ofNamed(name).isPresent())
        .filter(name -> environment.apply(name).isPresent())
        .sorted();
  }

  String variable(String name) {
    return environment.apply(name).orElseThrow();
  }

  private void requireValue(String variable) {
    Setting setting = Variables.ofNamed(variable).orElseThrow();
    setting
        .value()
        .complaint(variable(variable))
        .ifPresent(
            why -> {
              throw new IllFormedException(
                  variable + ": " + setting.path().replace("*", "NAME") + " " + why);
            });
  }

  /** The value that applies; empty for a setting without a default that was not set. */
  Optional<GivenValue> effective(SettingPath settingPath) {
    return given(settingPath)
        .or(() -> settingPath.setting().usualValue().map(text -> new GivenValue(text, DEFAULT)));
  }

  /** The value that applies, for settings that have a default. */
  public String text(Setting setting) {
    return effective(SettingPath.of(setting)).orElseThrow().text();
  }

  public Duration duration(Setting setting) {
    return Value.duration(text(setting));
  }

  public int number(Setting setting) {
    return Integer.parseInt(text(setting));
  }

  /** Every kind and key that a flag or the file names, each with its settings. */
  Stream<SettingPath> settingPaths() {
    return Stream.concat(flags.keySet().stream(), lines.keySet().stream()).distinct();
  }

  /**
   * The times of this key's leases: those given now, else those of the key, else of its kind, else
   * the general ones.
   *
   * @param now the settings given for this one lease, by the settings of a key
   */
  public LeaseTimes lease(LeaseKey key, Map<Setting, GivenValue> now) {
    GivenValue ttl =
        first(key, now, List.of(Setting.REACTOR_TTL, Setting.KIND_TTL, Setting.TTL))
            .or(() -> effective(SettingPath.of(Setting.TTL)))
            .orElseThrow();
    Optional<GivenValue> heartbeat =
        first(
            key,
            now,
            List.of(Setting.REACTOR_HEARTBEAT, Setting.KIND_HEARTBEAT, Setting.HEARTBEAT));
    heartbeat.ifPresent(beat -> requireBelow(beat, ttl));
    return new LeaseTimes(
        Value.duration(ttl.text()),
        heartbeat.map(beat -> Value.duration(beat.text())),
        first(key, now, List.of(Setting.REACTOR_STALL, Setting.KIND_STALL, Setting.STALL))
            .filter(stall -> !stall.text().equals(Value.NONE))
            .map(stall -> Value.duration(stall.text())));
  }

  private Optional<GivenValue> first(
      LeaseKey key, Map<Setting, GivenValue> now, List<Setting> settings) {
    SettingPath ofKey = new SettingPath(settings.get(0), key.text());
    return Optional.ofNullable(now.get(ofKey.setting()))
        .map(given -> saidNow(ofKey, given))
        .or(() -> given(ofKey))
        .or(() -> given(new SettingPath(settings.get(1), key.kind())))
        .or(() -> given(SettingPath.of(settings.get(2))));
  }

  /** A user who has just typed a flag knows the flag, and not the path that sets the same. */
  private static GivenValue saidNow(SettingPath settingPath, GivenValue given) {
    settingPath
        .setting()
        .value()
        .complaint(given.text())
        .ifPresent(
            why -> {
              throw new IllFormedException(given.from() + " " + why);
            });
    return settingPath.checked(given);
  }

  /** Checked when the settings are read, and not when the first lease of that name is acquired. */
  private void requireHeartbeat(String name) {
    String key = name.isEmpty() ? "-/-" : name.contains("/") ? name : name + "/-";
    LeaseTimes unused = lease(new LeaseKey(key), Map.of());
  }

  /** Refuses a heartbeat that would come after the grant has expired. */
  private static void requireBelow(GivenValue heartbeat, GivenValue ttl) {
    if (Value.duration(heartbeat.text()).compareTo(Value.duration(ttl.text())) >= 0) {
      throw new IllFormedException(
          "a heartbeat of "
              + heartbeat.text()
              + " ("
              + heartbeat.from()
              + ") is not below the ttl of "
              + ttl.text()
              + " ("
              + ttl.from()
              + ")");
    }
  }
}
