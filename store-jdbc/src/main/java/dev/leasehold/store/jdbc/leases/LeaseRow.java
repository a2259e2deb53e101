package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.rules.StoreIncarnation;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A key's row: its record, and those requests that are stored in the row itself.
 *
 * @param inherited whether the latest grant came by hand-over; then its request is the giver's
 * @param endRequest the release that ended the latest grant
 */
public record LeaseRow(LeaseRecord record, boolean inherited, Optional<RequestId> endRequest) {
  private static final int OPEN = 0;
  private static final int LAPSED = 1;
  private static final int ENDED = 2;

  /** The columns of {@code lease-columns.sql}, then the clock and the incarnation. */
  private static final int CLOCK = 30;

  private static final int STORE_INCARNATION = 31;

  /**
   * A row as it was read, and the store's time and incarnation at that moment.
   *
   * @param mayRecall whether the request that the row was locked for may be among the past requests
   */
  public record Found(
      LeaseRow row, long clockMillis, StoreIncarnation storeIncarnation, boolean mayRecall) {
    Found(LeaseRow row, long clockMillis, StoreIncarnation storeIncarnation) {
      this(row, clockMillis, storeIncarnation, true);
    }

    Found withoutRecall() {
      return new Found(row, clockMillis, storeIncarnation, false);
    }
  }

  public static Found read(ResultSet row) throws SQLException {
    LeaseRecord record =
        new LeaseRecord(
            new LeaseKey(row.getString(1)),
            new Token(row.getLong(2)),
            grant(row),
            closure(row),
            bar(row),
            row.getLong(29));
    Optional<RequestId> endRequest = Optional.ofNullable(row.getString(23)).map(RequestId::new);
    return new Found(
        new LeaseRow(record, row.getBoolean(5), endRequest),
        row.getLong(CLOCK),
        storeIncarnation(row, STORE_INCARNATION));
  }

  /** For a key without a row: the state that its bucket's floor implies. */
  static Found blank(LeaseKey key, ResultSet floor) throws SQLException {
    return blank(key, floor, 1);
  }

  /** The same, with the columns from this one on. */
  static Found blank(LeaseKey key, ResultSet floor, int from) throws SQLException {
    LeaseRecord blank = LeaseRecord.blank(key, new Token(floor.getLong(from)));
    return new Found(
        new LeaseRow(blank, false, Optional.empty()),
        floor.getLong(from + 1),
        storeIncarnation(floor, from + 2));
  }

  public static StoreIncarnation storeIncarnation(ResultSet row, int from) throws SQLException {
    return new StoreIncarnation(row.getInt(from), row.getLong(from + 1));
  }

  private static Optional<Grant> grant(ResultSet row) throws SQLException {
    long token = row.getLong(3);
    if (row.wasNull()) {
      return Optional.empty();
    }
    HolderInfo info =
        new HolderInfo(
            row.getString(7),
            row.getString(8),
            row.getString(9),
            Attributes.parse(row.getString(10)));
    return Optional.of(
        new Grant(
            new Token(token),
            new InstanceId(row.getString(4)),
            new RequestId(row.getString(6)),
            new Terms(info, row.getLong(11), new StallLimit(row.getLong(12))),
            row.getLong(13),
            row.getLong(14),
            row.getLong(15),
            new Progress(row.getLong(16), row.getLong(17)),
            standing(row)));
  }

  private static Standing standing(ResultSet row) throws SQLException {
    return switch (row.getInt(18)) {
      case OPEN -> Standing.OPEN;
      case LAPSED -> Standing.LAPSED;
      case ENDED ->
          new Standing.Ended(
              Reasons.read(
                  row.getString(19), orEmpty(row.getString(20)), orEmpty(row.getString(21)), 0),
              row.getLong(22));
      default -> throw new IllegalStateException("a grant stands as " + row.getInt(18));
    };
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static Optional<Closure> closure(ResultSet row) throws SQLException {
    String reason = row.getString(24);
    if (reason == null) {
      return Optional.empty();
    }
    long until = row.getLong(25);
    return Optional.of(
        new Closure(reason, row.wasNull() ? OptionalLong.empty() : OptionalLong.of(until)));
  }

  private static Optional<Bar> bar(ResultSet row) throws SQLException {
    String instanceId = row.getString(26);
    return instanceId == null
        ? Optional.empty()
        : Optional.of(new Bar(new InstanceId(instanceId), row.getString(27), row.getLong(28)));
  }

  /** Whether this is a later state of the same grant, with only the grant's progress changed. */
  boolean continues(LeaseRow before) {
    Optional<Grant> old = before.record.grant();
    return record
        .grant()
        .filter(grant -> old.isPresent() && old.get().token().equals(grant.token()))
        .filter(
            grant ->
                grant.terms().equals(old.get().terms().withTtlMillis(grant.terms().ttlMillis())))
        .filter(grant -> record.last().equals(before.record.last()))
        .filter(grant -> record.closure().equals(before.record.closure()))
        .filter(grant -> record.bar().equals(before.record.bar()))
        .isPresent();
  }

  /** Binds the parameters of {@code update-grant.sql}. */
  void bindContinued(PreparedStatement statement, int bucket) throws SQLException {
    Grant grant = record.grant().orElseThrow();
    Binder binder = new Binder(statement);
    binder.number(grant.terms().ttlMillis());
    binder.number(grant.renewedAtMillis());
    binder.number(grant.expiresAtMillis());
    binder.number(grant.progress().mark());
    binder.number(grant.progress().movedAtMillis());
    bindStanding(binder);
    binder.number(record.writtenAtMillis());
    binder.integer(Optional.of(bucket));
    binder.text(Optional.of(record.key().text()));
  }

  /** Binds the parameters of {@code insert-lease.sql} and {@code update-lease.sql}. */
  public void bind(PreparedStatement statement, int bucket) throws SQLException {
    Binder binder = new Binder(statement);
    binder.number(record.last().value());
    bindGrant(binder);
    bindStanding(binder);
    binder.text(record.closure().map(Closure::reason));
    OptionalLong until =
        record.closure().isPresent() ? record.closure().get().untilMillis() : OptionalLong.empty();
    binder.number(until.isPresent() ? Optional.of(until.getAsLong()) : Optional.empty());
    binder.text(record.bar().map(bar -> bar.instanceId().text()));
    binder.text(record.bar().map(Bar::reason));
    binder.number(record.bar().map(Bar::untilMillis));
    binder.number(record.writtenAtMillis());
    binder.integer(Optional.of(bucket));
    binder.text(Optional.of(record.key().text()));
  }

  private void bindGrant(Binder binder) throws SQLException {
    Optional<Grant> grant = record.grant();
    Optional<Terms> terms = grant.map(Grant::terms);
    Optional<HolderInfo> info = terms.map(Terms::info);
    binder.number(grant.map(g -> g.token().value()));
    binder.text(grant.map(g -> g.instanceId().text()));
    binder.flag(grant.map(g -> inherited));
    binder.text(grant.map(g -> g.requestId().text()));
    binder.text(info.map(HolderInfo::holder));
    binder.text(info.map(HolderInfo::purpose));
    binder.text(info.map(HolderInfo::region));
    binder.text(info.map(i -> Attributes.text(i.attributes())));
    binder.number(terms.map(Terms::ttlMillis));
    binder.number(terms.map(t -> t.stallLimit().millis()));
    binder.number(grant.map(Grant::grantedAtMillis));
    binder.number(grant.map(Grant::renewedAtMillis));
    binder.number(grant.map(Grant::expiresAtMillis));
    binder.number(grant.map(g -> g.progress().mark()));
    binder.number(grant.map(g -> g.progress().movedAtMillis()));
  }

  private void bindStanding(Binder binder) throws SQLException {
    Optional<Standing> standing = record.grant().map(Grant::standing);
    binder.integer(standing.map(LeaseRow::code));
    Optional<Standing.Ended> ended =
        standing.filter(Standing.Ended.class::isInstance).map(Standing.Ended.class::cast);
    Optional<Reasons> reason = ended.map(e -> Reasons.of(e.reason()));
    binder.text(reason.map(Reasons::word));
    binder.text(reason.map(Reasons::by));
    binder.text(reason.map(Reasons::why));
    binder.number(ended.map(Standing.Ended::atMillis));
    binder.text(endRequest.map(RequestId::text));
  }

  private static int code(Standing standing) {
    return switch (standing) {
      case Standing.Open open -> OPEN;
      case Standing.Lapsed lapsed -> LAPSED;
      case Standing.Ended ended -> ENDED;
    };
  }

  /** Sets the parameters of a statement one after the other. */
  private static final class Binder {
    private final PreparedStatement statement;
    private int next = 1;

    Binder(PreparedStatement statement) {
      this.statement = statement;
    }

    void number(long value) throws SQLException {
      statement.setLong(next++, value);
    }

    void number(Optional<Long> value) throws SQLException {
      set(value, Types.BIGINT);
    }

    void integer(Optional<Integer> value) throws SQLException {
      set(value, Types.INTEGER);
    }

    void text(Optional<String> value) throws SQLException {
      set(value, Types.VARCHAR);
    }

    void flag(Optional<Boolean> value) throws SQLException {
      set(value, Types.BOOLEAN);
    }

    private void set(Optional<?> value, int type) throws SQLException {
      statement.setObject(next++, value.orElse(null), type);
    }
  }
}
