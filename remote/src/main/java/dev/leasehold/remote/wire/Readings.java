package dev.leasehold.remote.wire;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.ListQuery;

/** Records as JSON. Records contain no instance, so no listing shows one. */
public final class Readings {
  private Readings() {}

  /** The state of a key, as one word. */
  public enum State {
    /** A grant is current. */
    HELD,
    /** Its grant has expired, and no other grant has followed. */
    EXPIRED,
    /** The store does not grant it at present. */
    CLOSED,
    /** Its last grant has ended. */
    FREE;

    static State of(LeaseReading reading) {
      LeaseRecord record = reading.record();
      if (record.currentGrant().isPresent()) {
        return record.currentGrant().get().isUnexpired(reading.atMillis()) ? HELD : EXPIRED;
      }
      boolean closed = record.closure().filter(c -> c.isInForce(reading.atMillis())).isPresent();
      return closed ? CLOSED : FREE;
    }

    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  public static State stateOf(LeaseReading reading) {
    return State.of(reading);
  }

  public static void write(JsonOut out, LeaseReading reading, Detail detail) {
    LeaseRecord record = reading.record();
    out.text("key", record.key().text());
    out.text("state", State.of(reading).word());
    record
        .currentGrant()
        .ifPresentOrElse(
            grant -> writeCurrent(out, grant, reading.atMillis()),
            () -> out.number("token", record.last().value()));
    out.object(
        "ended",
        record.grant().map(Grant::standing).filter(Standing.Ended.class::isInstance),
        (inner, ended) -> LossReasons.write(inner, ((Standing.Ended) ended).reason()));
    out.object(
        "closed",
        record.closure().filter(closure -> closure.isInForce(reading.atMillis())),
        (inner, closure) ->
            inner
                .text("reason", closure.reason())
                .number("remainingMs", closure.remainingMillis(reading.atMillis())));
    if (detail == Detail.RECORD) {
      out.object("record", inner -> writeRecord(inner, reading));
    }
  }

  private static void writeCurrent(JsonOut out, Grant grant, long atMillis) {
    HolderInfo info = grant.terms().info();
    out.text("holder", info.holder());
    out.text("instanceId", grant.instanceId().text());
    out.text("purpose", info.purpose()).text("region", info.region());
    out.number("token", grant.token().value());
    out.number("ttlMs", grant.terms().ttlMillis());
    out.number("remainingMs", grant.remainingMillis(atMillis));
    out.number("progress", grant.progress().mark());
    out.texts("attributes", info.attributes());
  }

  private static void writeRecord(JsonOut out, LeaseReading reading) {
    LeaseRecord record = reading.record();
    out.number("last", record.last().value());
    out.object("grant", record.grant(), Grants::write);
    out.object(
        "closure",
        record.closure(),
        (inner, closure) ->
            inner.text("reason", closure.reason()).number("untilMs", closure.untilMillis()));
    out.object(
        "bar",
        record.bar(),
        (inner, bar) ->
            inner
                .text("instanceId", bar.instanceId().text())
                .text("reason", bar.reason())
                .number("untilMs", bar.untilMillis()));
    out.number("writtenAtMs", record.writtenAtMillis());
    out.number("atMs", reading.atMillis());
  }

  /** Reads an answer in full detail. */
  public static LeaseReading read(Members members) {
    return members.together(
        () -> {
          Members record = members.object("record");
          LeaseRecord found =
              new LeaseRecord(
                  Commands.key(members),
                  record.counted("last", Token::new),
                  record.objectIfAny("grant").map(Grants::read),
                  record.objectIfAny("closure").map(Readings::closure),
                  record.objectIfAny("bar").map(Readings::bar),
                  record.number("writtenAtMs"));
          return new LeaseReading(found, record.number("atMs"));
        });
  }

  private static Closure closure(Members members) {
    return new Closure(members.text("reason"), members.numberIfAny("untilMs"));
  }

  private static Bar bar(Members members) {
    return new Bar(
        members.parsed("instanceId", InstanceId::new),
        members.text("reason"),
        members.number("untilMs"));
  }

  /** {@code next} is the {@code after} of the next request. */
  public static void writePage(JsonOut out, LeasePage page, Detail detail) {
    out.list("items", page.items(), (item, reading) -> write(item, reading, detail));
    out.text("next", page.next().map(LeaseKey::text));
  }

  public static LeasePage readPage(Members members) {
    return new LeasePage(
        members.list("items", ListQuery.MAX_LIMIT, Readings::read),
        members.parsedIfAny("next", LeaseKey::new));
  }
}
