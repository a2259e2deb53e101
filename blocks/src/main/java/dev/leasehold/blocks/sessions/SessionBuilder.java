package dev.leasehold.blocks.sessions;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Texts;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a session says about its process, for people and for those who look for a service. */
public final class SessionBuilder {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final Leases leases;
  private final List<String> roles = new ArrayList<>();
  private Duration ttl = TTL;
  private Optional<String> version = Optional.empty();
  private Optional<String> address = Optional.empty();

  SessionBuilder(Leases leases) {
    this.leases = leases;
  }

  /** After this time without a renewal the process is taken for dead; 30 s if nothing is said. */
  public SessionBuilder ttl(Duration newTtl) {
    ttl = newTtl;
    return this;
  }

  /** Adds what the process does: one word, such as {@code worker}. */
  public SessionBuilder role(String role) {
    Texts.requireVisibleAscii("a role", role, SessionInfo.MAX_ROLE);
    if (role.contains(SessionInfo.SEPARATOR)) {
      throw new IllFormedException("a role is one word without a comma, not '" + role + "'");
    }
    roles.add(role);
    return this;
  }

  /** The version of the program. */
  public SessionBuilder version(String newVersion) {
    version = Optional.of(newVersion);
    return this;
  }

  /** Where the process serves others, such as {@code 10.0.0.7:7420}. */
  public SessionBuilder address(String newAddress) {
    address = Optional.of(newAddress);
    return this;
  }

  /**
   * Opens the session.
   *
   * @throws SessionNotOpenedException if the store does not answer or refuses it, with the reason
   */
  public Session open() throws InterruptedException {
    String name = UUID.randomUUID().toString().replace("-", "");
    LeaseRequest request = LeaseRequest.of(LeaseKey.of(SessionGrant.KIND, name)).ttl(ttl);
    if (!roles.isEmpty()) {
      request = request.attribute(SessionInfo.ROLES, String.join(SessionInfo.SEPARATOR, roles));
    }
    if (version.isPresent()) {
      request = request.attribute(SessionInfo.VERSION, version.get());
    }
    if (address.isPresent()) {
      request = request.attribute(SessionInfo.ADDRESS, address.get());
    }
    return switch (leases.tryAcquire(request)) {
      case Acquisition.Acquired(var lease) -> new Session(lease);
      case Acquisition.NotAcquired why -> throw new SessionNotOpenedException(why);
    };
  }
}
