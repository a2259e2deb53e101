package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.StoreIncarnation;
import java.util.Optional;

/** Decides what has become of a session: no process touches its rows before it has ended. */
public final class SessionRules {
  private SessionRules() {}

  /**
   * The state of a session.
   *
   * @param record of the session's key, read under a lock where a change depends on the answer
   */
  public static SessionState stateOf(
      Optional<LeaseRecord> record, SessionGrant session, DecisionMoment moment) {
    if (record.isEmpty() || record.get().grant().isEmpty()) {
      return new SessionState.Ended(new LossReason.Unknown());
    }
    LeaseRecord seen =
        LeaseRules.inIncarnation(record.get(), new StoreIncarnation(moment.incarnation(), 0));
    Grant latest = seen.grant().orElseThrow();
    if (!latest.token().equals(session.token())) {
      return new SessionState.Ended(
          new LossReason.Superseded(latest.terms().info().holder(), latest.token()));
    }
    return switch (latest.standing()) {
      case Standing.Ended ended -> ended(seen, ended, moment);
      case Standing.Open open when latest.isUnexpired(now(seen, moment)) ->
          new SessionState.Alive(latest.remainingMillis(now(seen, moment)));
      case Standing.Open open -> new SessionState.Expired();
      case Standing.Lapsed lapsed -> new SessionState.Expired();
    };
  }

  /**
   * A session that was revoked at once relies on the fence alone. Otherwise its key is closed, and
   * its process may trust it until the grant would have expired.
   */
  private static SessionState ended(LeaseRecord seen, Standing.Ended ended, DecisionMoment moment) {
    long now = now(seen, moment);
    long left = seen.grant().orElseThrow().expiresAtMillis() - now;
    boolean isClosed = seen.closure().filter(closure -> closure.isInForce(now)).isPresent();
    return isClosed && left > 0
        ? new SessionState.StillTrusted(ended.reason(), left)
        : new SessionState.Ended(ended.reason());
  }

  /** For one record, time never goes behind its last write. */
  private static long now(LeaseRecord seen, DecisionMoment moment) {
    return Math.max(moment.nowMillis(), seen.writtenAtMillis());
  }

  /** What the owner of a session may do with its rows. */
  public static SessionStanding standing(SessionState state) {
    return switch (state) {
      case SessionState.Alive alive -> SessionStanding.ALIVE;
      case SessionState.Expired expired -> new SessionStanding.Over(new LossReason.Expired());
      case SessionState.StillTrusted trusted -> new SessionStanding.Over(trusted.reason());
      case SessionState.Ended ended -> new SessionStanding.Over(ended.reason());
    };
  }
}
