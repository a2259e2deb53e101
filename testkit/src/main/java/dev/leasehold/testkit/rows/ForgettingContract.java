package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.OpenResult;
import org.junit.jupiter.api.Test;

/** An anchor goes only with its session. */
abstract class ForgettingContract extends AnchorsGroup {
  private boolean forgotten(OpenResult.Opened opened, SessionGrant session) {
    return answer(anchors().forget(opened.own(), session));
  }

  @Test
  void an_anchor_of_an_ended_session_is_forgotten_once() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    assertThat(forgotten(opened, dead)).isTrue();
    assertThat(forgotten(opened, dead)).isFalse();
    assertThat(answer(anchors().under(dead))).containsExactly(served(opened.served(), dead));
  }

  @Test
  void an_anchor_of_a_session_that_has_not_ended_stays() {
    SessionGrant session = session(ANN);
    OpenResult.Opened opened = opened(session);
    assertThat(forgotten(opened, session)).isFalse();
    pass(TTL);
    assertThat(forgotten(opened, session)).as("of an expired one").isFalse();
  }

  @Test
  void an_anchor_that_was_adopted_since_stays() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant alive = session(BOB);
    assertThat(adopted(opened.served(), dead, alive)).isTrue();
    assertThat(answer(anchors().forget(opened.served(), dead))).isFalse();
    assertThat(answer(anchors().under(alive))).hasSize(1);
  }

  @Test
  void an_adopted_anchor_is_forgotten_by_the_session_that_has_it() {
    SessionGrant dead = session(ANN);
    OpenResult.Opened opened = opened(dead);
    die(dead);
    SessionGrant alive = session(BOB);
    assertThat(adopted(opened.served(), dead, alive)).isTrue();
    assertThat(answer(anchors().forget(opened.served(), alive))).isTrue();
    assertThat(answer(anchors().under(alive))).isEmpty();
  }
}
