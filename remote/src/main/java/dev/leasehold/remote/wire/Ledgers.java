package dev.leasehold.remote.wire;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.TableFacts;
import java.util.List;
import java.util.Optional;

/** What is written down of charters, seals and refusals. */
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

  public static void writeSealing(JsonOut out, LedgerEntry.Sealing sealing) {
    out.text("key", sealing.key().text()).number("token", sealing.token().value());
    out.text("holder", sealing.holder()).text("target", sealing.target());
    out.text("failure", sealing.failure());
  }

  public static void writeRefused(JsonOut out, LedgerEntry.Refused refused) {
    out.text("id", refused.id().text()).text("target", refused.target());
    out.text("key", refused.claim().key().text());
    out.number("token", refused.claim().token().value()).text("who", refused.claim().who());
    out.text("outcome", refused.answer() instanceof Admission.Stale ? "stale" : "unissued");
    refused.answer().bound().ifPresent(bound -> out.number("current", bound.value()));
    out.flag("suspectsRollback", refused.suspectsRollback());
  }

  public static List<LedgerEntry> readEntries(Members members) {
    List<LedgerEntry> entries =
        members.list("entries", MAX_ENTRIES).stream().map(Ledgers::readEntry).toList();
    members.nothingElse();
    return entries;
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
    Optional<Token> current =
        members.has("current")
            ? Optional.of(members.counted("current", Token::new))
            : Optional.empty();
    Admission.Refused answer =
        switch (members.text("outcome")) {
          case "stale" ->
              new Admission.Stale(
                  current.orElseThrow(() -> members.refusal("current", "is missing")));
          case "unissued" -> new Admission.Unissued(current);
          default -> throw members.refusal("outcome", "must be stale or unissued");
        };
    return new LedgerEntry.Refused(
        members.parsed("id", RequestId::new),
        members.text("target"),
        new Claim(Commands.key(members), Commands.token(members), members.text("who")),
        answer,
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
    out.list(
        "seals",
        reading.seals(),
        (item, kept) -> writeSealing(item.number("atMs", kept.atMillis()), kept.what()));
    out.list(
        "refusals",
        reading.refusals(),
        (item, kept) -> writeRefused(item.number("atMs", kept.atMillis()), kept.what()));
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
                members.list("charters", MANY).stream().map(Ledgers::charter).toList(),
                members.list("seals", MANY).stream()
                    .map(item -> new LedgerReading.Seal(sealing(item), item.number("atMs")))
                    .toList(),
                members.list("refusals", MANY).stream()
                    .map(item -> new LedgerReading.Refusal(refused(item), item.number("atMs")))
                    .toList(),
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
        members.list("unguarded", MANY).stream()
            .map(item -> new TableFacts.TokenColumn(item.text("table"), item.text("column")))
            .toList(),
        // Servers of before do not tell.
        members.listIfAny("guarded", MANY).stream().map(item -> item.text("table")).toList(),
        members.list("gaps", MANY).stream()
            .map(
                item ->
                    new TableFacts.GuardGap(
                        item.text("table"), item.text("what"), item.flag("openNow", false)))
            .toList());
  }
}
