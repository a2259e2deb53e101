package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds evidence that a store has gone back to an earlier state, and describes it in a few words.
 */
public final class Evidence {
  private Evidence() {}

  /** Evidence in the store's position. */
  static Optional<String> in(Witnessed before, Facts facts) {
    if (facts.incarnation() < before.incarnation()) {
      return lower("incarnation", facts.incarnation(), before.incarnation());
    }
    if (facts.isCopied()) {
      return Optional.of("it was copied here from another PostgreSQL, " + facts.foundedOn());
    }
    if (facts.incarnation() > before.incarnation()) {
      // The incarnation was advanced since, so positions have started again.
      return Optional.empty();
    }
    return inPosition(before.position(), facts.position()).or(() -> inChain(before, facts));
  }

  private static Optional<String> inPosition(Position before, Position now) {
    if (!before.systemId().isEmpty() && !before.systemId().equals(now.systemId())) {
      return Optional.of("it was on another PostgreSQL, " + before.systemId());
    }
    if (now.timeline() < before.timeline()) {
      return lower("timeline", now.timeline(), before.timeline());
    }
    // A higher timeline means a failover, which is no reason to stop unless it lost writes.
    return now.walPosition() < before.walPosition()
        ? lower("WAL position", now.walPosition(), before.walPosition())
        : Optional.empty();
  }

  private static Optional<String> inChain(Witnessed before, Facts facts) {
    long height = Position.height(facts.position().newest());
    long seen = Position.height(before.position().newest());
    if (height < seen) {
      return lower("height of the chain", height, seen);
    }
    return inLink(before.position().newest(), facts.newestSeen(), height)
        .or(() -> inLink(before.position().milestone(), facts.milestoneSeen(), height));
  }

  private static Optional<String> inLink(Optional<Link> seen, Optional<String> now, long height) {
    return seen.filter(link -> now.isPresent() || Chain.keeps(link.height(), height))
        .filter(link -> !now.equals(Optional.of(link.value())))
        .map(link -> "link " + link.height() + " of the chain is not the one seen before");
  }

  private static Optional<String> lower(String what, long now, long before) {
    return Optional.of(what + " " + now + ", seen before: " + before);
  }

  /**
   * Evidence in the grants that were seen in this incarnation. A key's next token follows its
   * record's, or its bucket's floor if it has no record. So a row that was deleted by hand or
   * purged is no evidence, as long as the floor covers its token.
   */
  public static Optional<String> inGrants(StoreConnection connection, Witnessed before, Facts facts)
      throws SQLException {
    Token floor = new StoreIncarnation(facts.incarnation(), 0).floor();
    List<Map.Entry<LeaseKey, SeenGrant>> expected =
        before.grants().entrySet().stream()
            .filter(grant -> grant.getValue().token().isAbove(floor))
            .toList();
    // Above READ COMMITTED, a table that is emptied after the snapshot looks empty while the floors
    // still look low. A second look sees the raised floors; lost writes stay lost.
    return missing(connection, expected).isEmpty()
        ? Optional.empty()
        : missing(connection, expected);
  }

  private static Optional<String> missing(
      StoreConnection connection, List<Map.Entry<LeaseKey, SeenGrant>> expected)
      throws SQLException {
    List<Found> found = found(connection, expected);
    for (int i = 0; i < expected.size(); i++) {
      Optional<String> missing = inGrant(expected.get(i), found.get(i));
      if (missing.isPresent()) {
        return missing;
      }
    }
    return Optional.empty();
  }

  /**
   * The store's state of a witnessed grant.
   *
   * @param last the token of the record or the floor
   * @param instanceId the instance that held the witnessed token, if the store remembers it
   */
  private record Found(long last, Optional<InstanceId> instanceId) {}

  private static Optional<String> inGrant(Map.Entry<LeaseKey, SeenGrant> expected, Found found) {
    LeaseKey key = expected.getKey();
    SeenGrant seen = expected.getValue();
    if (found.last() < seen.token().value()) {
      return lower("last token of " + key, found.last(), seen.token().value());
    }
    Optional<InstanceId> holder = seen.instanceId();
    boolean another =
        holder.isPresent() && found.instanceId().isPresent() && !holder.equals(found.instanceId());
    return another
        ? Optional.of("token " + seen.token() + " of " + key + " was granted to another instance")
        : Optional.empty();
  }

  private static List<Found> found(
      StoreConnection connection, List<Map.Entry<LeaseKey, SeenGrant>> grants) throws SQLException {
    if (grants.isEmpty()) {
      return List.of();
    }
    List<List<?>> rows = new ArrayList<>();
    for (Map.Entry<LeaseKey, SeenGrant> grant : grants) {
      LeaseKey key = grant.getKey();
      rows.add(List.of(Buckets.of(key), key.text(), grant.getValue().token().value()));
    }
    if (connection.dialect().hasArrays()) {
      return connection.list(Evidence::found, "last-tokens", connection.columns(rows));
    }
    List<Found> found = new ArrayList<>();
    for (List<?> row : rows) {
      found.addAll(connection.list(Evidence::found, "last-tokens", row.toArray()));
    }
    return found;
  }

  private static Found found(ResultSet row) throws SQLException {
    return new Found(row.getLong(1), Optional.ofNullable(row.getString(2)).flatMap(Evidence::id));
  }

  /**
   * Text that is no id was written by hand. It identifies no other instance, so it is no evidence.
   */
  private static Optional<InstanceId> id(String text) {
    try {
      return Optional.of(new InstanceId(text));
    } catch (IllFormedException garbled) {
      return Optional.empty();
    }
  }
}
