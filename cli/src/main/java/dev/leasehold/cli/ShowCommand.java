package dev.leasehold.cli;

import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.PastGrant;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease show}: what is on record for a key, and who had it before. */
@Command(
    name = "show",
    description = "Show what is on record for a key, and who had it before.",
    footer = {
      "",
      "Example:",
      "  leasehold lease show lock/nightly-report --store sqlite:leases.db --json"
    })
final class ShowCommand extends LookingCommand {
  @Mixin final KeyParameter about = new KeyParameter();

  ShowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit look(LeaseStore store) {
    Optional<LeaseReading> reading = Asking.await(store.read(about.key));
    List<PastGrant> history =
        store instanceof JdbcLeaseStore kept ? Asking.await(kept.history(about.key)) : List.of();
    Json json =
        reading
            .map(Records::json)
            .orElseGet(() -> new Json().with("key", about.key.text()).with("state", "free"));
    String text =
        reading
            .map(found -> text(found, history))
            .orElseGet(() -> about.key + " is free, and there is no record of it");
    return print(
        new Answer(
            Exit.DONE,
            json.with("history", history.stream().map(ShowCommand::json).toList()),
            text));
  }

  private static Json json(PastGrant past) {
    Json json =
        new Json()
            .with("token", past.token().value())
            .with("holder", past.holder())
            .with("instanceId", past.instanceId().text())
            .with("purpose", past.purpose())
            .with("region", past.region())
            .with("grantedAtMs", past.grantedAtMillis())
            .with("followedAtMs", past.followedAtMillis());
    return json.with("ended", Losses.json(new Json(), past.end()));
  }

  private static String text(LeaseReading reading, List<PastGrant> history) {
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
    Records.closure(reading)
        .ifPresent(
            closure -> {
              add(lines, "closed", closure.reason());
              String opens = Records.closedFor(reading).map(left -> "in " + left).orElse("");
              add(lines, "opens", opens.isEmpty() ? "by leasehold lease reopen" : opens);
            });
    history.forEach(past -> add(lines, "before", text(past)));
    return String.join(System.lineSeparator(), lines);
  }

  private static String text(PastGrant past) {
    return "%s to %s at %s, which %s"
        .formatted(
            past.token(),
            past.holder(),
            Instant.ofEpochMilli(past.grantedAtMillis()).truncatedTo(ChronoUnit.SECONDS),
            Losses.sentence(past.end()));
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
