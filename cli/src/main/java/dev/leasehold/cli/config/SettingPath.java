package dev.leasehold.cli.config;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import java.util.Locale;
import java.util.Optional;

/**
 * One place for a value.
 *
 * @param name the kind or the key, for a setting of kinds or keys; else empty
 */
record SettingPath(Setting setting, String name) {
  private static final String ANY_NAME = "*";

  static SettingPath of(Setting setting) {
    return new SettingPath(setting, "");
  }

  String path() {
    return setting.path().replace(ANY_NAME, name);
  }

  String variable() {
    return "LEASEHOLD_" + path().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /** Finds it by a dotted path. A name may contain dots. */
  static Optional<SettingPath> at(String path) {
    for (Setting setting : Setting.values()) {
      if (setting.path().equals(path)) {
        return Optional.of(of(setting));
      }
      int star = setting.path().indexOf(ANY_NAME);
      if (star >= 0) {
        String before = setting.path().substring(0, star);
        String after = setting.path().substring(star + 1);
        if (path.length() > before.length() + after.length()
            && path.startsWith(before)
            && path.endsWith(after)) {
          String name = path.substring(before.length(), path.length() - after.length());
          return Optional.of(new SettingPath(setting, name));
        }
      }
    }
    return Optional.empty();
  }

  /** Refuses a value that the setting cannot have, and a name that no lease can have. */
  GivenValue checked(GivenValue given) {
    setting
        .value()
        .complaint(given.text())
        .ifPresent(
            why -> {
              throw new IllFormedException(given.from() + ": " + path() + " " + why);
            });
    if (setting.isNamed()) {
      requireName(given);
    }
    return given;
  }

  private void requireName(GivenValue given) {
    boolean ofKey = setting.path().startsWith("leases.reactors.");
    try {
      LeaseKey unused = ofKey ? new LeaseKey(name) : LeaseKey.of(name, "x");
    } catch (IllFormedException e) {
      throw new IllFormedException(given.from() + ": " + path() + ": " + e.getMessage());
    }
  }
}
