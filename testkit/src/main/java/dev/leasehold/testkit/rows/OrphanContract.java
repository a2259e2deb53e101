package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.Orphan;
import dev.leasehold.blocks.rows.spi.SessionState;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R3: which anchors another process may look after, and when. */
abstract class OrphanContract extends AnchorsGroup {
  @Test
  void the_anchors_of_living_sessions_are_no_orphans() {
    opened(session(ANN));
    pass(TTL.minus(A_MOMENT));
    assertThat(orphans()).isEmpty();
  }

  @Test
  void those_of_an_expired_session_are_told_as_expired_until_it_is_ended() {
    SessionGrant session = session(ANN);
    OpenResult.Opened opened = opened(session);
    pass(TTL);
    assertThat(orphans())
        .containsExactly(
            new Orphan(own(opened.own(), session), new SessionState.Expired()),
            new Orphan(served(opened.served(), session), new SessionState.Expired()));
    end(session);
    SessionState ended = new SessionState.Ended(new LossReason.Expired());
    assertThat(orphans())
        .containsExactly(
            new Orphan(own(opened.own(), session), ended),
            new Orphan(served(opened.served(), session), ended));
  }

  @Test
  void those_of_a_closed_session_are_orphans_at_once() {
    SessionGrant session = session(ANN);
    opened(session);
    close(session, ANN);
    assertThat(orphans())
        .extracting(Orphan::session)
        .containsOnly(new SessionState.Ended(new LossReason.Released()));
  }

  @Test
  void a_revoked_session_may_be_trusted_until_it_would_have_expired() {
    SessionGrant session = session(ANN);
    opened(session);
    LossReason revoked = new LossReason.Revoked("olga", "wrong build");
    revoke(session, Command.Reopening.AT_EXPIRY);
    assertThat(orphans())
        .extracting(Orphan::session)
        .containsOnly(new SessionState.StillTrusted(revoked, TTL.toMillis()));
    pass(TTL);
    assertThat(orphans()).extracting(Orphan::session).containsOnly(new SessionState.Ended(revoked));
  }

  @Test
  void a_session_whose_key_was_granted_again_has_left_its_anchors() {
    SessionGrant first = session(ANN);
    opened(first);
    close(first, ANN);
    SessionGrant second = granted(first.key(), BOB);
    opened(second);
    assertThat(orphans()).hasSize(2).allMatch(orphan -> orphan.anchor().session().equals(first));
  }

  @Test
  void orphans_are_listed_page_by_page_from_the_oldest_on() {
    SessionGrant session = session(ANN);
    OpenResult.Opened first = opened(session);
    OpenResult.Opened second = opened(session);
    close(session, ANN);
    assertThat(page(Optional.empty(), 3))
        .containsExactly(first.own(), first.served(), second.own());
    assertThat(page(Optional.of(second.own()), 3)).containsExactly(second.served());
    assertThat(page(Optional.of(second.served()), 3)).isEmpty();
  }

  private List<Anchor> page(Optional<Anchor> after, int limit) {
    return answer(anchors().orphans(after, limit)).stream()
        .map(orphan -> orphan.anchor().anchor())
        .toList();
  }
}
