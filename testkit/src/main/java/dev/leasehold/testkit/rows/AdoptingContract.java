package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorRecord;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.kernel.spi.Command;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A dead server's served rows go to a living one, by one write. */
abstract class AdoptingContract extends AnchorsGroup {
  private AnchorRecord adoptedBy(SessionGrant adopter, OpenResult.Opened opened, long atMillis) {
    return new AnchorRecord(opened.served(), adopter, true, OptionalLong.of(atMillis));
  }

  @Test
  void the_served_anchor_of_an_ended_session_goes_to_a_living_one() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant alive = session(BOB);
    assertThat(adopted(opened.served(), dead, alive)).isTrue();
    assertThat(answer(anchors().under(alive)))
        .containsExactly(adoptedBy(alive, opened, nowMillis()));
    assertThat(answer(anchors().under(dead))).containsExactly(own(opened.own(), dead));
  }

  @Test
  void a_repeat_of_an_adoption_that_was_not_answered_is_told_of_its_success() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant alive = session(BOB);
    assertThat(adopted(opened.served(), dead, alive)).isTrue();
    long first = nowMillis();
    pass(A_MOMENT);
    assertThat(adopted(opened.served(), dead, alive)).isTrue();
    assertThat(answer(anchors().under(alive))).containsExactly(adoptedBy(alive, opened, first));
  }

  @Test
  void nothing_is_adopted_before_the_session_has_ended() {
    SessionGrant slow = session(ANN);
    OpenResult.Opened opened = opened(slow);
    pass(TTL);
    SessionGrant alive = session(BOB);
    assertThat(adopted(opened.served(), slow, alive)).isFalse();
    end(slow);
    assertThat(adopted(opened.served(), slow, alive)).isTrue();
  }

  @Test
  void nothing_is_adopted_while_a_revoked_process_may_trust_its_session() {
    SessionGrant revoked = session(ANN);
    OpenResult.Opened opened = opened(revoked);
    revoke(revoked, Command.Reopening.AT_EXPIRY);
    assertThat(adopted(opened.served(), revoked, session(BOB))).isFalse();
    pass(TTL);
    assertThat(adopted(opened.served(), revoked, session(BOB))).isTrue();
  }

  @Test
  void own_rows_are_not_adopted() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    assertThat(adopted(opened.own(), dead, session(BOB))).isFalse();
  }

  @Test
  void a_session_that_is_over_adopts_nothing() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    SessionGrant late = session(BOB);
    die(dead);
    assertThat(adopted(opened.served(), dead, late)).isFalse();
  }

  @Test
  void an_adopted_anchor_is_adopted_again_and_keeps_the_time_of_the_first() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant second = session(BOB);
    assertThat(adopted(opened.served(), dead, second)).isTrue();
    long first = nowMillis();
    die(second);
    SessionGrant third = session(ANN);
    assertThat(adopted(opened.served(), dead, third))
        .as("by the session before the last")
        .isFalse();
    assertThat(adopted(opened.served(), second, third)).isTrue();
    assertThat(answer(anchors().under(third))).containsExactly(adoptedBy(third, opened, first));
  }

  @Test
  void a_later_grant_of_the_adopters_key_has_adopted_nothing() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant first = session(BOB);
    assertThat(adopted(opened.served(), dead, first)).isTrue();
    close(first, BOB);
    SessionGrant second = granted(first.key(), BOB);
    assertThat(answer(anchors().under(second))).isEmpty();
    assertThat(adopted(opened.served(), dead, second)).isFalse();
  }
}
