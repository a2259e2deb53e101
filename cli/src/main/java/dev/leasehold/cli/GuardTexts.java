package dev.leasehold.cli;

import dev.leasehold.store.jdbc.effects.Guard;

/** How a guard is told. */
final class GuardTexts {
  private GuardTexts() {}

  static Json json(Guard guard) {
    Json json = new Json().with("table", guard.table());
    switch (guard.keys()) {
      case Guard.Keys.Column(String name) -> json.with("keyColumn", name);
      case Guard.Keys.Fixed(var key) -> json.with("key", key.text());
    }
    guard.maintenanceRole().ifPresent(role -> json.with("maintenanceRole", role));
    return json;
  }

  static String keys(Guard guard) {
    return switch (guard.keys()) {
      case Guard.Keys.Column(String name) -> "in column " + name;
      case Guard.Keys.Fixed(var key) -> key.text();
    };
  }
}
