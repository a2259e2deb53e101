package dev.leasehold.cli;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease show}: what is on record for a key. */
@Command(
    name = "show",
    description = "Show what is on record for a key.",
    footer = {
      "",
      "Example:",
      "  leasehold lease show lock/nightly-report --store sqlite:leases.db --json"
    })
final class ShowCommand extends StoreCommand {
  @Mixin final KeyParameter about = new KeyParameter();

  ShowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    Optional<LeaseReading> reading = Asking.await(store.read(about.key));
    return print(
        reading
            .map(found -> new Answer(Exit.DONE, Records.json(found), text(found)))
            .orElseGet(
                () ->
                    new Answer(
                        Exit.DONE,
                        new Json().with("key", about.key.text()).with("state", "free"),
                        about.key + " is free, and there is no record of it")));
  }

  private static String text(LeaseReading reading) {
    LeaseRecord record = reading.record();
    List<String> lines = new ArrayList<>();
    lines.add(record.key() + " is " + Records.state(reading));
    record
        .currentGrant()
        .ifPresentOrElse(
            grant -> describe(lines, grant, reading.atMillis()),
            () -> add(lines, "token", record.last().toString()));
    Records.ended(record)
        .ifPresent(end -> lines.add("the last grant " + Losses.sentence(end.reason())));
    record
        .closure()
        .filter(closure -> closure.isInForce(reading.atMillis()))
        .ifPresent(closure -> add(lines, "closed", closure.reason()));
    return String.join(System.lineSeparator(), lines);
  }

  private static void describe(List<String> lines, Grant grant, long nowMillis) {
    HolderInfo info = grant.terms().info();
    add(lines, "token", grant.token().toString());
    add(lines, "holder", info.holder());
    add(lines, "id", grant.instanceId().text());
    add(lines, "purpose", info.purpose());
    add(lines, "region", info.region());
    add(lines, "ttl", Values.text(grant.terms().ttlMillis()));
    add(lines, "remaining", Values.text(grant.remainingMillis(nowMillis)));
    new TreeMap<>(info.attributes()).forEach((name, value) -> add(lines, name, value));
  }

  private static void add(List<String> lines, String name, String value) {
    if (!value.isEmpty()) {
      lines.add("  %-10s %s".formatted(name, value));
    }
  }
}
