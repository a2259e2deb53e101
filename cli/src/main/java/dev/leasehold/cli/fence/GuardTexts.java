package dev.leasehold.cli.fence;

import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.store.jdbc.effects.Guard;

/** Guards as texts. */
final class GuardTexts {
  private GuardTexts() {}

  static void write(JsonOut out, Guard guard) {
    out.text("table", guard.table());
    switch (guard.keys()) {
      case Guard.Keys.Column(String name) -> out.text("keyColumn", name);
      case Guard.Keys.Fixed(var key) -> out.text("key", key.text());
    }
    out.text("maintenanceRole", guard.maintenanceRole());
  }

  static String keys(Guard guard) {
    return switch (guard.keys()) {
      case Guard.Keys.Column(String name) -> "in column " + name;
      case Guard.Keys.Fixed(var key) -> key.text();
    };
  }
}
