package dev.leasehold.cli.lease;

import dev.leasehold.cli.config.Config;
import dev.leasehold.cli.config.GivenValue;
import dev.leasehold.cli.config.LeaseTimes;
import dev.leasehold.cli.config.Setting;
import dev.leasehold.fence.LeaseKey;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The times of this command's lease; the others are as configured for its key. */
public final class TimeOptions {
  @Option(
      names = "--ttl",
      paramLabel = "D",
      description = "How long a grant lasts. Else as configured for the key or its kind, else 30s.")
  Optional<String> ttl = Optional.empty();

  @Option(
      names = "--stall",
      paramLabel = "D|none",
      description =
          "Lose the lease when it is renewed without progress for this long. Else as configured,"
              + " else never.")
  Optional<String> stall = Optional.empty();

  /** For a command that acquires the lease once and does not renew it. */
  public LeaseTimes of(LeaseKey key, Config config) {
    return of(key, Optional.empty(), config);
  }

  public LeaseTimes of(LeaseKey key, Optional<String> heartbeat, Config config) {
    Map<Setting, GivenValue> now = new EnumMap<>(Setting.class);
    ttl.ifPresent(text -> now.put(Setting.REACTOR_TTL, new GivenValue(text, "--ttl")));
    stall.ifPresent(text -> now.put(Setting.REACTOR_STALL, new GivenValue(text, "--stall")));
    heartbeat.ifPresent(
        text -> now.put(Setting.REACTOR_HEARTBEAT, new GivenValue(text, "--heartbeat")));
    return config.lease(key, now);
  }
}
