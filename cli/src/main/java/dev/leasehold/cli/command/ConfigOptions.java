package dev.leasehold.cli.command;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.PrintedConfig;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The settings of a command. Each has a flag, which the list of all settings defines. */
public class ConfigOptions {
  /** The file that is read if the caller names none. */
  private static final Path USUAL = Path.of("leasehold.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings. Else LEASEHOLD_CONFIG, else leasehold.yaml if it is there.")
  public Optional<Path> file = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "A setting by its path, as leases.kinds.cron.ttl=1m; may be given again.")
  List<String> assignments = new ArrayList<>();

  private final List<Setting> settings;
  private final Map<Setting, String> flags = new EnumMap<>(Setting.class);

  public ConfigOptions(List<Setting> settings) {
    this.settings = settings;
  }

  /** Adds the flags for their settings to all commands that have some. */
  public static void offer(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    for (CommandSpec mixin : spec.mixins().values()) {
      if (mixin.userObject() instanceof ConfigOptions options) {
        options.settings.forEach(setting -> spec.addOption(options.flag(setting)));
      }
    }
    line.getSubcommands().values().forEach(ConfigOptions::offer);
  }

  private OptionSpec flag(Setting setting) {
    boolean isSwitch = setting.value().words().contains("true");
    // A command that is given no store asks a server; only serve has a default store of its own.
    String usual =
        setting == Setting.STORE && settings.contains(Setting.SERVER)
            ? "a server is asked"
            : setting.usual();
    OptionSpec.Builder builder =
        OptionSpec.builder(setting.flag().orElseThrow())
            .type(String.class)
            .paramLabel(setting.value().label())
            .description(
                setting.what()
                    + " Else "
                    + setting.variable()
                    + (usual.isEmpty() ? "." : ", else " + usual + "."))
            .setter(new Setter(setting));
    if (!setting.value().words().isEmpty()) {
      builder.completionCandidates(setting.value().words());
    }
    return isSwitch ? builder.arity("0..1").fallbackValue("true").build() : builder.build();
  }

  private final class Setter implements ISetter {
    private final Setting setting;

    Setter(Setting setting) {
      this.setting = setting;
    }

    /** Called without a value to reset the option. */
    @Override
    public <T extends @Nullable Object> T set(T value) {
      if (value == null) {
        flags.remove(setting);
      } else {
        flags.put(setting, value.toString());
      }
      return value;
    }
  }

  /** The file that is read, if any. */
  public Optional<Path> file(CommandContext context) {
    return namedFile(context)
        .or(() -> Optional.of(context.folder().resolve(USUAL)).filter(Files::exists));
  }

  /** The file that the caller has named. The default file is read only if it exists. */
  Optional<Path> namedFile(CommandContext context) {
    if (file.filter(path -> path.toString().isEmpty()).isPresent()) {
      throw new CommandFailedException(Exit.USAGE, "--config names no file");
    }
    return file.or(() -> context.environment().apply("LEASEHOLD_CONFIG").map(Path::of));
  }

  /**
   * Tells the caller which file directs a command to a store or server, because the file may be
   * another user's.
   */
  public static void sayIfByFile(Setting setting, Config config, CommandContext context) {
    config
        .givenByFile(setting)
        .ifPresent(
            given ->
                context
                    .err()
                    .println(
                        "leasehold: "
                            + setting.path()
                            + " "
                            + PrintedConfig.masked(given.text())
                            + " by "
                            + given.from()));
  }

  public Config config(CommandContext context) {
    return Config.of(new Config.Sources(flags, assignments, context.environment(), file(context)));
  }
}
