package dev.leasehold.blocks.rows.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** On records that the real rules of leases have made. */
class SessionRulesTest {
  private static final LeaseKey KEY = new LeaseKey("session/one");
  private static final long TTL = 30_000;

  private long now = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private final MemoryLeaseStore store =
      new MemoryLeaseStore(() -> Instant.ofEpochMilli(now), Limits.SINGLE_NODE);
  private final Instance process = Instance.random();
  private final Grant grant = granted(process, "r1");
  private final SessionGrant session = new SessionGrant(KEY, grant.token());

  private Grant granted(Instance instance, String request) {
    Terms terms = Terms.of("one", Duration.ofMillis(TTL));
    Command acquire = Command.Acquire.of(KEY, instance, new RequestId(request), terms);
    return ((Outcome.Granted) apply(acquire)).grant();
  }

  private Outcome apply(Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  private Outcome revoke(Command.Reopening reopening) {
    return apply(
        new Command.Revoke(
            KEY,
            new Operator("olga"),
            new Explanation("wrong build"),
            reopening,
            new RequestId("revoke")));
  }

  private SessionState state() {
    return state(session.token().incarnation());
  }

  private SessionState state(int incarnation) {
    Optional<LeaseReading> reading = store.read(KEY).toCompletableFuture().join();
    return SessionRules.stateOf(
        reading.map(LeaseReading::record), session, new DecisionMoment(now, incarnation));
  }

  @Test
  void a_session_is_alive_to_the_last_millisecond_of_its_grant() {
    assertThat(state()).isEqualTo(new SessionState.Alive(TTL));
    now += TTL - 1;
    assertThat(state()).isEqualTo(new SessionState.Alive(1));
    now += 1;
    assertThat(state()).isEqualTo(new SessionState.Expired());
  }

  @Test
  void a_session_that_was_found_expired_does_not_come_back_when_the_clock_does() {
    now += TTL;
    apply(Command.Renew.of(KEY, grant.token(), process));
    now -= TTL;
    assertThat(state()).isEqualTo(new SessionState.Expired());
  }

  @Test
  void a_session_has_ended_once_the_store_has_ended_its_grant() {
    now += TTL;
    apply(new Command.EndExpired(KEY, grant.token()));
    assertThat(state()).isEqualTo(new SessionState.Ended(new LossReason.Expired()));
  }

  @Test
  void a_session_that_its_process_closed_has_ended() {
    apply(new Command.Release(KEY, grant.token(), process, new RequestId("release")));
    assertThat(state()).isEqualTo(new SessionState.Ended(new LossReason.Released()));
  }

  @Test
  void a_revoked_session_has_not_ended_while_its_process_may_trust_it() {
    LossReason revoked = new LossReason.Revoked("olga", "wrong build");
    now += 10_000;
    revoke(Command.Reopening.AT_EXPIRY);
    assertThat(state()).isEqualTo(new SessionState.StillTrusted(revoked, TTL - 10_000));
    now += TTL - 10_000;
    assertThat(state()).isEqualTo(new SessionState.Ended(revoked));
  }

  @Test
  void a_key_that_stays_closed_for_good_does_not_keep_its_session_from_ending() {
    LossReason revoked = new LossReason.Revoked("olga", "wrong build");
    revoke(Command.Reopening.BY_OPERATOR);
    assertThat(state()).isEqualTo(new SessionState.StillTrusted(revoked, TTL));
    now += TTL;
    assertThat(state()).isEqualTo(new SessionState.Ended(revoked));
  }

  @Test
  void a_session_that_is_revoked_at_once_relies_on_the_fence() {
    revoke(Command.Reopening.NOW);
    assertThat(state())
        .isEqualTo(new SessionState.Ended(new LossReason.Revoked("olga", "wrong build")));
  }

  @Test
  void a_session_whose_key_was_granted_again_has_ended() {
    now += TTL;
    Grant next = granted(Instance.random(), "r2");
    assertThat(state())
        .isEqualTo(new SessionState.Ended(new LossReason.Superseded("one", next.token())));
  }

  @Test
  void an_advance_ends_every_session_of_an_earlier_incarnation() {
    assertThat(state(session.token().incarnation() + 1))
        .isEqualTo(new SessionState.Ended(new LossReason.IncarnationAdvanced()));
  }

  @Test
  void a_session_without_a_record_has_ended() {
    DecisionMoment moment = new DecisionMoment(now, session.token().incarnation());
    assertThat(SessionRules.stateOf(Optional.empty(), session, moment))
        .isEqualTo(new SessionState.Ended(new LossReason.Unknown()));
  }

  @Test
  void only_a_living_session_may_touch_rows() {
    LossReason revoked = new LossReason.Revoked("olga", "wrong build");
    assertThat(SessionRules.standing(new SessionState.Alive(1))).isEqualTo(SessionStanding.ALIVE);
    assertThat(SessionRules.standing(new SessionState.Expired()))
        .isEqualTo(new SessionStanding.Over(new LossReason.Expired()));
    assertThat(SessionRules.standing(new SessionState.StillTrusted(revoked, 1)))
        .isEqualTo(new SessionStanding.Over(revoked));
    assertThat(SessionRules.standing(new SessionState.Ended(revoked)))
        .isEqualTo(new SessionStanding.Over(revoked));
  }
}
