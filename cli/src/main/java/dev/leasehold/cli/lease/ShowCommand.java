package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.LossReasons;
import dev.leasehold.store.jdbc.PastGrant;
import dev.leasehold.store.jdbc.PastGrants;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lease show}: the record of a key, and its earlier holders. */
@Command(
    name = "show",
    description = "Show what is on record for a key, and who had it before.",
    footer = {
      "",
      "Example:",
      "  leasehold lease show lock/nightly-report --store sqlite:leases.db --json"
    })
public final class ShowCommand extends ReadCommand {
  @Mixin final KeyParameter about = new KeyParameter();

  public ShowCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    Optional<LeaseReading> reading = StoreCalls.await(store.leases().read(about.key));
    List<PastGrant> history =
        store
            .part(PastGrants.class)
            .map(past -> StoreCalls.await(past.of(about.key)))
            .orElseGet(List::of);
    Consumer<JsonOut> json =
        out ->
            reading.ifPresentOrElse(
                found -> Records.write(out, found),
                () -> out.text("key", about.key.text()).text("state", "free"));
    String text =
        reading
            .map(found -> text(found, history))
            .orElseGet(() -> about.key + " is free, and there is no record of it");
    return print(
        new CommandResult(Exit.DONE, json, text)
            .with(out -> out.list("history", history, ShowCommand::write)));
  }

  private static void write(JsonOut out, PastGrant past) {
    out.number("token", past.token().value()).text("holder", past.holder());
    out.text("instanceId", past.instanceId().text());
    out.text("purpose", past.purpose()).text("region", past.region());
    out.number("fromMs", past.grantedAtMillis()).number("toMs", past.followedAtMillis());
    out.object("ended", inner -> LossReasons.write(inner, past.end()));
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
        .ifPresent(end -> lines.add("the last grant " + LossTexts.sentence(end.reason())));
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
            LossTexts.sentence(past.end()));
  }

  private static void describe(List<String> lines, Grant grant, long nowMillis) {
    HolderInfo info = grant.terms().info();
    add(lines, "token", grant.token().toString());
    add(lines, "holder", info.holder());
    add(lines, "instance id", grant.instanceId().text());
    add(lines, "purpose", info.purpose());
    add(lines, "region", info.region());
    add(lines, "ttl", Values.text(grant.terms().ttlMillis()));
    add(lines, "remaining", Values.text(grant.remainingMillis(nowMillis)));
    new TreeMap<>(info.attributes()).forEach((name, value) -> add(lines, name, value));
  }

  private static void add(List<String> lines, String name, String value) {
    if (!value.isEmpty()) {
      lines.add("  %-11s %s".formatted(name, value));
    }
  }
}
