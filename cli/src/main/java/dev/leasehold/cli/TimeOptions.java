package dev.leasehold.cli;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.Given;
import dev.leasehold.cli.config.LeaseTimes;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.fence.LeaseKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How the lease of this command is kept; what is not said here is as configured for its key. */
final class TimeOptions {
  @Option(
      names = "--ttl",
      paramLabel = "D",
      description = "How long a grant lasts. Else as configured for the key or its kind, else 30s.")
  Optional<String> ttl = Optional.empty();

  @Option(
      names = "--stall",
      paramLabel = "D|none",
      description =
          "Lose it when it is renewed without progress for so long. Else as configured, else"
              + " never.")
  Optional<String> stall = Optional.empty();

  /** For whoever takes it once, and renews nothing. */
  LeaseTimes of(LeaseKey key, Config config) {
    return of(key, Optional.empty(), config);
  }

  LeaseTimes of(LeaseKey key, Optional<String> heartbeat, Config config) {
    Map<Setting, Given> now = new EnumMap<>(Setting.class);
    ttl.ifPresent(text -> now.put(Setting.REACTOR_TTL, new Given(text, "--ttl")));
    stall.ifPresent(text -> now.put(Setting.REACTOR_STALL, new Given(text, "--stall")));
    heartbeat.ifPresent(text -> now.put(Setting.REACTOR_HEARTBEAT, new Given(text, "--heartbeat")));
    return config.lease(key, now);
  }
}
