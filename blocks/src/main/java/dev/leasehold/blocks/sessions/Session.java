package dev.leasehold.blocks.sessions;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The session of this process: others take it for alive as long as this lasts. It is renewed
 * automatically. Once it is lost it never comes back: a process that goes on opens another, with
 * nothing in hand.
 *
 * <pre>{@code
 * try (Session session = Session.on(leases).role("worker").address("10.0.0.7:7420").open()) {
 *   session.lost().thenAccept(reason -> stopWork(reason));
 *   ...
 * }
 * }</pre>
 *
 * <p>A session that looks alive from within may be over: the process was paused, and has not looked
 * since. So what the process writes under it brings {@link #claim()}, and the store checks it.
 */
public final class Session implements AutoCloseable {
  private final Lease lease;

  Session(Lease lease) {
    this.lease = lease;
  }

  /** Begins to describe a session of this process. */
  public static SessionBuilder on(Leases leases) {
    LeaseCharter unused = leases.attach(charter());
    return new SessionBuilder(leases);
  }

  /** The default charter of sessions. */
  public static LeaseCharter charter() {
    return LeaseCharter.of(
        SessionGrant.KIND, LeaseCharter.Payload.LIVENESS, "all that its process works on");
  }

  /** Its key: {@code session/} and a random name. No two sessions share one. */
  public LeaseKey key() {
    return lease.key();
  }

  public Token token() {
    return lease.token();
  }

  /** The grant under which rows stand. */
  public SessionGrant grant() {
    return new SessionGrant(key(), token());
  }

  /** The claim to bring to a target, for what is written under the session. */
  public Claim claim() {
    return lease.claim();
  }

  /** How long the process may still trust that it is taken for alive; zero when it may not. */
  public Duration trust() {
    return lease.trust();
  }

  /** Whether the process may trust it now. */
  public boolean isTrusted() {
    return !trust().isZero();
  }

  /**
   * Throws if the session is over, or if its trust has run out.
   *
   * @throws dev.leasehold.kernel.LeaseLostException with the reason
   */
  public void ensureTrusted() {
    lease.ensureHeld();
  }

  /** Completes with the reason when it is lost; never completes if the process closes it. */
  public CompletionStage<LossReason> lost() {
    return lease.lost();
  }

  /** Why it is over; empty while it is not. */
  public Optional<LossReason> lossReason() {
    return lease.lossReason();
  }

  /** Ends the session, so that others go on at once. The process has ended its work before. */
  @Override
  public void close() {
    lease.close();
  }

  @Override
  public String toString() {
    return "session " + key() + " under token " + token();
  }
}
