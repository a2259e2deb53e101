package dev.leasehold.remote.wire;

import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.TableFacts;
import java.util.List;
import java.util.function.Consumer;

/** Ledger entries as JSON: charters, seals and refusals. */
public final class Ledgers {
  public static final int MAX_ENTRIES = 1_000;

  private static final int MANY = 1_000_000;

  private Ledgers() {}

  public static void write(JsonOut out, List<LedgerEntry> entries) {
    out.list("entries", entries, Ledgers::writeEntry);
  }

  private static void writeEntry(JsonOut out, LedgerEntry entry) {
    switch (entry) {
      case LedgerEntry.Chartered chartered -> {
        out.text("entry", "chartered").text("holder", chartered.holder());
        out.object("charter", inner -> Charters.write(inner, chartered.charter()));
      }
      case LedgerEntry.Sealing sealing -> writeSealing(out.text("entry", "sealing"), sealing);
      case LedgerEntry.Refused refused -> writeRefused(out.text("entry", "refused"), refused);
    }
  }

  static void write(JsonOut out, LedgerReading.Seal seal) {
    writeSealing(out.number("atMs", seal.atMillis()), seal.what());
  }

  static void write(JsonOut out, LedgerReading.Refusal refusal) {
    writeRefused(out.number("atMs", refusal.atMillis()), refusal.what());
  }

  private static void writeSealing(JsonOut out, LedgerEntry.Sealing sealing) {
    out.text("key", sealing.key().text()).number("token", sealing.token().value());
    out.text("holder", sealing.holder()).text("target", sealing.target());
    out.text("failure", sealing.failure());
  }

  private static void writeRefused(JsonOut out, LedgerEntry.Refused refused) {
    out.text("id", refused.id().text()).text("target", refused.target());
    out.text("key", refused.claim().key().text());
    out.number("token", refused.claim().token().value()).text("who", refused.claim().who());
    Refusals.write(out, refused.answer());
    out.flag("suspectsRollback", refused.suspectsRollback());
  }

  /** {@code check} gets each entry as it is read, and refuses it by an exception. */
  public static List<LedgerEntry> readEntries(JsonIn in, Consumer<LedgerEntry> check) {
    return in.batch(
            "entries",
            MAX_ENTRIES,
            item -> {
              LedgerEntry entry = readEntry(item);
              check.accept(entry);
              return entry;
            })
        .alone();
  }

  private static LedgerEntry readEntry(Members members) {
    return members.together(
        () ->
            switch (members.text("entry")) {
              case "chartered" ->
                  new LedgerEntry.Chartered(
                      Charters.read(members.object("charter")), members.text("holder"));
              case "sealing" -> sealing(members);
              case "refused" -> refused(members);
              default -> throw members.refusal("entry", "no such entry is known");
            });
  }

  private static LedgerEntry.Sealing sealing(Members members) {
    return new LedgerEntry.Sealing(
        Commands.key(members),
        Commands.token(members),
        members.text("holder"),
        members.text("target"),
        members.textIfAny("failure"));
  }

  private static LedgerEntry.Refused refused(Members members) {
    return new LedgerEntry.Refused(
        members.parsed("id", RequestId::new),
        members.text("target"),
        new Claim(Commands.key(members), Commands.token(members), members.text("who")),
        Refusals.read(members),
        members.flag("suspectsRollback", false));
  }

  public static void write(JsonOut out, LedgerReading reading) {
    out.number("atMs", reading.atMillis());
    out.list(
        "charters",
        reading.charters(),
        (item, kept) ->
            item.text("holder", kept.holder())
                .number("firstAtMs", kept.firstAtMillis())
                .number("lastAtMs", kept.lastAtMillis())
                .object("charter", inner -> Charters.write(inner, kept.charter())));
    out.list("seals", reading.seals(), Ledgers::write);
    out.list("refusals", reading.refusals(), Ledgers::write);
    out.list(
        "unguarded",
        reading.tables().unguarded(),
        (item, column) -> item.text("table", column.table()).text("column", column.column()));
    out.list("guarded", reading.tables().guarded(), (item, table) -> item.text("table", table));
    out.list(
        "gaps",
        reading.tables().gaps(),
        (item, gap) ->
            item.text("table", gap.table())
                .text("what", gap.what())
                .flag("openNow", gap.openNow()));
  }

  public static LedgerReading readReading(Members members) {
    return members.together(
        () ->
            new LedgerReading(
                members.number("atMs"),
                members.list("charters", MANY, Ledgers::charter),
                members.list(
                    "seals",
                    MANY,
                    item -> new LedgerReading.Seal(sealing(item), item.number("atMs"))),
                members.list(
                    "refusals",
                    MANY,
                    item -> new LedgerReading.Refusal(refused(item), item.number("atMs"))),
                tables(members)));
  }

  private static LedgerReading.Charter charter(Members members) {
    return new LedgerReading.Charter(
        Charters.read(members.object("charter")),
        members.text("holder"),
        members.number("firstAtMs"),
        members.number("lastAtMs"));
  }

  private static TableFacts tables(Members members) {
    return new TableFacts(
        members.list(
            "unguarded",
            MANY,
            item -> new TableFacts.TokenColumn(item.text("table"), item.text("column"))),
        // Servers of earlier versions do not send it.
        members.listIfAny("guarded", MANY).stream().map(item -> item.text("table")).toList(),
        members.list(
            "gaps",
            MANY,
            item ->
                new TableFacts.GuardGap(
                    item.text("table"), item.text("what"), item.flag("openNow", false))));
  }
}
