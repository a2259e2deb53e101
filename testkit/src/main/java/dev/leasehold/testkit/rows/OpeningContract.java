package dev.leasehold.testkit.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.SessionStanding;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import org.junit.jupiter.api.Test;

/** Only a living session opens anchors, and no number is given twice. */
abstract class OpeningContract extends AnchorsGroup {
  private OpenResult refusal(SessionGrant session) {
    return answer(anchors().open(session));
  }

  private static OpenResult over(LossReason why) {
    return new OpenResult.Refused(new SessionStanding.Over(why));
  }

  @Test
  void a_living_session_gets_an_anchor_for_each_of_its_two_kinds_of_rows() {
    SessionGrant session = session(ANN);
    OpenResult.Opened opened = opened(session);
    assertThat(answer(anchors().under(session)))
        .containsExactly(own(opened.own(), session), served(opened.served(), session));
    assertThat(opened.own().incarnation()).isEqualTo(session.token().incarnation());
  }

  @Test
  void another_process_sees_them() {
    SessionGrant session = session(ANN);
    OpenResult.Opened opened = opened(session);
    assertThat(answer(under.others().under(session))).hasSize(2);
    OpenResult other = answer(under.others().open(session(BOB)));
    assertThat(((OpenResult.Opened) other).own()).isGreaterThan(opened.served());
  }

  @Test
  void a_repeated_opening_gives_new_numbers() {
    SessionGrant session = session(ANN);
    assertThat(opened(session).served()).isLessThan(opened(session).own());
    assertThat(answer(anchors().under(session))).hasSize(4);
  }

  @Test
  void a_session_that_is_over_opens_nothing() {
    SessionGrant expired = session(ANN);
    pass(TTL);
    assertThat(refusal(expired)).isEqualTo(over(new LossReason.Expired()));
    SessionGrant closed = session(ANN);
    close(closed, ANN);
    assertThat(refusal(closed)).isEqualTo(over(new LossReason.Released()));
    SessionGrant revoked = session(ANN);
    revoke(revoked, Command.Reopening.AT_EXPIRY);
    assertThat(refusal(revoked)).isEqualTo(over(new LossReason.Revoked("olga", "wrong build")));
    assertThat(orphans()).isEmpty();
  }

  @Test
  void a_later_grant_of_the_same_key_is_another_session() {
    SessionGrant first = session(ANN);
    close(first, ANN);
    SessionGrant second = granted(first.key(), BOB);
    assertThat(refusal(first)).isInstanceOf(OpenResult.Refused.class);
    opened(second);
    assertThat(answer(anchors().under(first))).isEmpty();
  }

  @Test
  void a_session_that_never_was_opens_nothing() {
    SessionGrant session = session(ANN);
    SessionGrant above = new SessionGrant(session.key(), new Token(session.token().value() + 1));
    assertThat(refusal(above)).isInstanceOf(OpenResult.Refused.class);
  }

  @Test
  void after_an_advance_earlier_sessions_open_nothing_and_numbers_begin_above_all_earlier_ones() {
    SessionGrant session = session(ANN);
    OpenResult.Opened before = opened(session);
    answer(leases().advance(Advance.above(session.token().incarnation())));
    assertThat(refusal(session)).isEqualTo(over(new LossReason.IncarnationAdvanced()));
    pass(TTL.multipliedBy(100));
    OpenResult.Opened after = opened(session(BOB));
    assertThat(after.own()).isGreaterThan(before.served());
    assertThat(after.own().incarnation()).isGreaterThan(session.token().incarnation());
  }
}
