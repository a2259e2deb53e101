package dev.leasehold.blocks.sessions;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.spi.LeaseReading;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session as others see it. A server or a command line lists them from the leases.
 *
 * @param holder the name of its process
 * @param roles what the process does
 * @param address where it serves others, if it does
 * @param version of its program; empty if it did not say
 * @param ttlMillis how long it lasts from each renewal
 * @param remainingMillis how long it lasts unless it is renewed; 0: it has expired, and its rows
 *     are about to be freed or adopted
 */
public record SessionInfo(
    SessionGrant grant,
    String holder,
    InstanceId instanceId,
    List<String> roles,
    Optional<String> address,
    Optional<String> version,
    long ttlMillis,
    long remainingMillis) {
  /** The start of every session's key. */
  public static final String PREFIX = SessionGrant.KIND + "/";

  static final int MAX_ROLE = 64;
  static final String SEPARATOR = ",";
  static final String ROLES = "roles";
  static final String ADDRESS = "address";
  static final String VERSION = "version";

  public SessionInfo {
    roles = List.copyOf(roles);
  }

  /** The session of this record; empty if it has ended. */
  public static Optional<SessionInfo> of(LeaseReading reading) {
    return reading
        .record()
        .currentGrant()
        .filter(grant -> reading.record().key().text().startsWith(PREFIX))
        .map(grant -> of(reading, grant));
  }

  private static SessionInfo of(LeaseReading reading, Grant grant) {
    Map<String, String> attributes = grant.terms().info().attributes();
    return new SessionInfo(
        new SessionGrant(reading.record().key(), grant.token()),
        grant.terms().info().holder(),
        grant.instanceId(),
        Optional.ofNullable(attributes.get(ROLES))
            .filter(roles -> !roles.isEmpty())
            .map(roles -> List.of(roles.split(SEPARATOR, -1)))
            .orElse(List.of()),
        Optional.ofNullable(attributes.get(ADDRESS)),
        Optional.ofNullable(attributes.get(VERSION)),
        grant.terms().ttlMillis(),
        grant.remainingMillis(reading.atMillis()));
  }
}
