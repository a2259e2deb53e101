package dev.leasehold.remote.wire;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Facts about a store as a whole, and the operator's commands on all of it. */
public final class StoreFacts {
  private static final String MEANT = "endEveryGrant";

  private StoreFacts() {}

  public static void write(JsonOut out, Limits limits, SuspectedRollbacks suspected) {
    out.object(
        "limits",
        inner ->
            inner
                .number("skewMs", limits.skewMillis())
                .number("memoryMs", limits.memoryMillis())
                .number("endingsKept", limits.endingsKept())
                .number("minTtlMs", limits.minTtlMillis())
                .number("maxTtlMs", Limits.MAX_TTL_MILLIS));
    out.object(
        "suspectedRollbacks",
        inner ->
            inner
                .number("count", suspected.count())
                .list(
                    "latest",
                    suspected.latest(),
                    (item, found) ->
                        item.text("key", found.key().text())
                            .number("brought", found.brought().value())
                            .number("last", found.last().value())
                            .number("atMs", found.atMillis())));
  }

  /** The identity of the store, and its incarnation. */
  public static void writeIdentity(
      JsonOut out, String storeId, int incarnation, long holdOffMillis) {
    out.text("storeId", storeId);
    out.number("incarnation", incarnation).number("holdOffMs", holdOffMillis);
  }

  public static Limits readLimits(Members members) {
    Members limits = members.object("limits");
    return limits.together(
        () ->
            new Limits(
                limits.number("skewMs"), limits.number("memoryMs"), limits.integer("endingsKept")));
  }

  public static SuspectedRollbacks readSuspected(Members members) {
    Members suspected = members.object("suspectedRollbacks");
    return new SuspectedRollbacks(
        suspected.number("count"),
        suspected.list(
            "latest",
            SuspectedRollbacks.KEPT,
            item ->
                new SuspectedRollbacks.Case(
                    Commands.key(item),
                    item.counted("brought", Token::new),
                    item.counted("last", Token::new),
                    item.number("atMs"))));
  }

  public static void write(JsonOut out, Advance advance) {
    advance.above().ifPresent(above -> out.number("above", above));
    advance.witness().ifPresent(witness -> out.number("witness", witness));
    out.number("holdOffMs", advance.holdOffMillis());
    if (advance.witnessedTtlMillis() > 0) {
      out.number("witnessedTtlMs", advance.witnessedTtlMillis());
    }
    if (saysNothing(advance)) {
      out.flag(MEANT, true);
    }
  }

  private static boolean saysNothing(Advance advance) {
    return advance.above().isEmpty()
        && advance.witness().isEmpty()
        && advance.holdOffMillis().isEmpty()
        && advance.witnessedTtlMillis() == 0;
  }

  /** Refuses an empty body: it may be a trial request, and must not end every grant. */
  public static Advance readAdvance(Members members) {
    OptionalInt above = incarnation(members, "above");
    OptionalInt witness = incarnation(members, "witness");
    OptionalLong holdOff = members.numberIfAny("holdOffMs");
    long witnessedTtl = members.numberIfAny("witnessedTtlMs").orElse(0);
    boolean meant = members.flag(MEANT, false);
    members.nothingElse();
    Advance advance = members.together(() -> new Advance(above, witness, holdOff, witnessedTtl));
    if (saysNothing(advance) && !meant) {
      throw members.refusal(
          "above", "is missing; to advance without it, say \"" + MEANT + "\": true");
    }
    return advance;
  }

  private static OptionalInt incarnation(Members members, String name) {
    OptionalLong number = members.numberIfAny(name);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    if (number.getAsLong() < 0 || number.getAsLong() > Token.MAX_INCARNATION) {
      throw members.refusal(name, "an incarnation is from 0 to " + Token.MAX_INCARNATION);
    }
    return OptionalInt.of((int) number.getAsLong());
  }

  public static String word(Advance.Outcome outcome) {
    return switch (outcome) {
      case Advance.Advanced advanced -> "advanced";
      case Advance.Refused refused -> "refused";
    };
  }

  public static void write(JsonOut out, Advance.Outcome outcome) {
    out.text("outcome", word(outcome));
    switch (outcome) {
      case Advance.Advanced advanced ->
          out.number("incarnation", advanced.incarnation())
              .number("holdOffMs", advanced.holdOffMillis());
      case Advance.Refused refused -> out.text("why", refused.why());
    }
  }

  public static Advance.Outcome readAdvanced(Members members) {
    return switch (members.text("outcome")) {
      case "advanced" ->
          new Advance.Advanced(members.integer("incarnation"), members.number("holdOffMs"));
      case "refused" -> new Advance.Refused(members.text("why"));
      default -> throw members.refusal("outcome", "no such outcome is known");
    };
  }

  public static void write(JsonOut out, PurgeQuery query) {
    out.number("deadForMs", query.deadForMillis()).number("limit", query.limit());
  }

  public static PurgeQuery readPurge(Members members) {
    long deadFor = members.number("deadForMs");
    long limit = members.numberIfAny("limit").orElse(Commands.MAX_ITEMS);
    members.nothingElse();
    if (limit < 1 || limit > Commands.MAX_ITEMS) {
      throw members.refusal("limit", "must be from 1 to " + Commands.MAX_ITEMS);
    }
    return members.together(() -> new PurgeQuery(deadFor, (int) limit));
  }

  public static void write(JsonOut out, PurgeReport report) {
    out.number("purged", report.purged());
  }

  public static PurgeReport readPurged(Members members) {
    return new PurgeReport(members.integer("purged"));
  }
}
