package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.blocks.rows.model.SessionGrant;
import java.util.Optional;

/** Decides under which session the rows of an anchor stand. */
public final class AnchorRules {
  /** A server answers a worker from memory only if it has read the store within this time. */
  public static final long MAX_ANSWER_AGE_MILLIS = 2_000;

  private AnchorRules() {}

  /**
   * A process that wants to stand in for an ended one.
   *
   * @param ended the session that it found the anchor under
   * @param state what the store knows of that session
   * @param adopter its own session
   * @param standing whether that is alive
   */
  public record Adoption(
      SessionGrant ended, SessionState state, SessionGrant adopter, SessionStanding standing) {}

  /**
   * The anchor after its adoption; empty: another process was first, or the rows are not to be
   * adopted. Rows of the ended process's own work are freed one by one, and so are those of an
   * earlier incarnation.
   */
  public static Optional<AnchorRecord> adopted(
      AnchorRecord record, Adoption adoption, DecisionMoment moment) {
    boolean mayBe =
        record.isServed()
            && record.anchor().incarnation() == moment.incarnation()
            && record.session().equals(adoption.ended())
            && adoption.state() instanceof SessionState.Ended
            && adoption.standing() instanceof SessionStanding.Alive;
    return mayBe
        ? Optional.of(record.under(adoption.adopter(), moment.nowMillis()))
        : Optional.empty();
  }

  /**
   * Whether an anchor that no row names may be forgotten: nothing is put there any more, since its
   * session has ended, or since it was adopted.
   *
   * @param expected the session that the caller knows it under
   * @param state what the store knows of that session
   */
  public static boolean mayBeForgotten(
      AnchorRecord record, SessionGrant expected, SessionState state) {
    return record.session().equals(expected)
        && (state instanceof SessionState.Ended || record.isAdopted());
  }

  /** Whether an earlier copy of an adoption has succeeded. */
  public static boolean wasAdopted(AnchorRecord record, SessionGrant adopter) {
    return record.isAdopted() && record.session().equals(adopter);
  }

  /**
   * Whether the worker of a row was silent for too long under an adopted anchor. The first adoption
   * counts: servers that come and go cannot keep the row of a dead worker for ever. A server that
   * has not heard of it yet may have answered the worker from memory, so the row stays for as long
   * as such answers may be old.
   */
  public static boolean isOverdue(AnchorRecord record, RowHold hold, long nowMillis) {
    return record.isAdopted()
        && nowMillis - record.unheardSinceMillis().getAsLong()
            >= hold.lengthMillis() + MAX_ANSWER_AGE_MILLIS;
  }

  /** Where rows of a living session may be put. */
  public static SessionStanding standing(
      AnchorRecord record, SessionGrant mine, SessionStanding ofGrant, int incarnation) {
    boolean isMine =
        record.session().equals(mine)
            && !record.isAdopted()
            && record.anchor().incarnation() == incarnation;
    return isMine || !(ofGrant instanceof SessionStanding.Alive)
        ? ofGrant
        : new SessionStanding.NotItsAnchor();
  }
}
