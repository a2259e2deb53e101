package dev.leasehold.blocks.rows.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.model.Worker;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AnchorRulesTest {
  private static final int INCARNATION = 424;
  private static final long NOW = 1_000_000;
  private static final Anchor ANCHOR = new Anchor(Token.of(INCARNATION, 7).value());
  private static final SessionGrant DEAD = session("dead");
  private static final SessionGrant ALIVE = session("alive");
  private static final SessionGrant NEXT = session("next");
  private static final AnchorRecord SERVED =
      new AnchorRecord(ANCHOR, DEAD, true, OptionalLong.empty());
  private static final AnchorRecord OWN =
      new AnchorRecord(ANCHOR, DEAD, false, OptionalLong.empty());

  private static final SessionState ENDED = new SessionState.Ended(new LossReason.Expired());
  private static final SessionStanding OVER = new SessionStanding.Over(new LossReason.Expired());

  private static AnchorRules.Adoption adoption(
      SessionGrant ended, SessionState state, SessionGrant adopter, SessionStanding standing) {
    return new AnchorRules.Adoption(ended, state, adopter, standing);
  }

  private static SessionGrant session(String name) {
    return new SessionGrant(new LeaseKey("session/" + name), Token.of(INCARNATION, 1));
  }

  private static Optional<AnchorRecord> adopted(AnchorRecord record, boolean hasEnded, long now) {
    return AnchorRules.adopted(
        record,
        adoption(DEAD, hasEnded ? ENDED : new SessionState.Expired(), ALIVE, SessionStanding.ALIVE),
        new DecisionMoment(now, INCARNATION));
  }

  @Test
  void the_served_rows_of_an_ended_session_are_adopted_with_the_time_of_it() {
    assertThat(adopted(SERVED, true, NOW))
        .contains(new AnchorRecord(ANCHOR, ALIVE, true, OptionalLong.of(NOW)));
  }

  @Test
  void nothing_is_adopted_from_a_session_that_has_not_ended() {
    assertThat(adopted(SERVED, false, NOW)).isEmpty();
  }

  @Test
  void own_rows_are_not_adopted() {
    assertThat(adopted(OWN, true, NOW)).isEmpty();
  }

  @Test
  void an_adopter_whose_session_is_over_adopts_nothing() {
    assertThat(
            AnchorRules.adopted(
                SERVED, adoption(DEAD, ENDED, ALIVE, OVER), new DecisionMoment(NOW, INCARNATION)))
        .isEmpty();
  }

  @Test
  void the_second_adopter_of_one_end_is_too_late() {
    AnchorRecord once = adopted(SERVED, true, NOW).orElseThrow();
    assertThat(adopted(once, true, NOW)).isEmpty();
  }

  @Test
  void an_anchor_of_an_earlier_incarnation_is_not_adopted() {
    assertThat(
            AnchorRules.adopted(
                SERVED,
                adoption(DEAD, ENDED, ALIVE, SessionStanding.ALIVE),
                new DecisionMoment(NOW, INCARNATION + 1)))
        .isEmpty();
  }

  @Test
  void the_time_of_the_first_adoption_stays_through_later_ones() {
    AnchorRecord once = adopted(SERVED, true, NOW).orElseThrow();
    Optional<AnchorRecord> twice =
        AnchorRules.adopted(
            once,
            adoption(ALIVE, ENDED, NEXT, SessionStanding.ALIVE),
            new DecisionMoment(NOW + 5_000, INCARNATION));
    assertThat(twice.orElseThrow().unheardSinceMillis()).hasValue(NOW);
    assertThat(twice.orElseThrow().session()).isEqualTo(NEXT);
  }

  @Test
  void a_worker_is_overdue_its_length_and_the_age_of_an_answer_after_the_first_adoption() {
    AnchorRecord adopted = adopted(SERVED, true, NOW).orElseThrow();
    RowHold hold = new RowHold(Token.of(INCARNATION, 1), ANCHOR, new Worker(1), "a test", 10_000);
    assertThat(AnchorRules.isOverdue(adopted, hold, NOW + 11_999)).isFalse();
    assertThat(AnchorRules.isOverdue(adopted, hold, NOW + 12_000)).isTrue();
    assertThat(AnchorRules.isOverdue(SERVED, hold, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void rows_are_put_under_the_sessions_own_fresh_anchors_alone() {
    SessionStanding foreign = new SessionStanding.NotItsAnchor();
    assertThat(standing(OWN, DEAD, INCARNATION)).isEqualTo(SessionStanding.ALIVE);
    assertThat(standing(OWN, ALIVE, INCARNATION)).isEqualTo(foreign);
    assertThat(standing(OWN, DEAD, INCARNATION + 1)).isEqualTo(foreign);
    AnchorRecord adopted = adopted(SERVED, true, NOW).orElseThrow();
    assertThat(standing(adopted, ALIVE, INCARNATION)).isEqualTo(foreign);
  }

  @Test
  void an_ended_session_is_told_its_end_whatever_the_anchor() {
    assertThat(AnchorRules.standing(OWN, DEAD, OVER, INCARNATION)).isEqualTo(OVER);
    assertThat(AnchorRules.standing(OWN, ALIVE, OVER, INCARNATION)).isEqualTo(OVER);
  }

  private static SessionStanding standing(AnchorRecord record, SessionGrant mine, int incarnation) {
    return AnchorRules.standing(record, mine, SessionStanding.ALIVE, incarnation);
  }
}
