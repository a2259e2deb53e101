package dev.leasehold.blocks.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.blocks.BlocksFixture;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseLostException;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SessionTest {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final BlocksFixture fixture = new BlocksFixture();
  private final Leases leases = fixture.process("one");

  private Optional<SessionInfo> seen(Session session) {
    return fixture
        .leases()
        .read(session.key())
        .toCompletableFuture()
        .join()
        .flatMap(SessionInfo::of);
  }

  @Test
  void others_see_what_a_session_says_of_its_process() throws Exception {
    Session session =
        Session.on(leases)
            .role("server")
            .role("worker")
            .version("1.4.2")
            .address("10.0.0.7:7420")
            .open();
    assertThat(seen(session))
        .contains(
            new SessionInfo(
                session.grant(),
                "one",
                leases.instanceId(),
                List.of("server", "worker"),
                Optional.of("10.0.0.7:7420"),
                Optional.of("1.4.2"),
                TTL.toMillis(),
                TTL.toMillis()));
  }

  @Test
  void a_session_says_nothing_that_it_was_not_told() throws Exception {
    Session session = Session.on(leases).ttl(Duration.ofSeconds(5)).open();
    assertThat(seen(session))
        .hasValueSatisfying(
            info -> {
              assertThat(info.roles()).isEmpty();
              assertThat(info.address()).isEmpty();
              assertThat(info.version()).isEmpty();
              assertThat(info.ttlMillis()).isEqualTo(5_000);
            });
  }

  @Test
  void two_sessions_of_one_process_are_two() throws Exception {
    Session first = Session.on(leases).open();
    Session second = Session.on(leases).open();
    assertThat(second.key()).isNotEqualTo(first.key());
    first.close();
    assertThat(second.isTrusted()).isTrue();
  }

  @Test
  void a_session_is_kept_for_as_long_as_its_process_runs() throws Exception {
    Session session = Session.on(leases).open();
    fixture.advance(TTL.multipliedBy(10));
    session.ensureTrusted();
    assertThat(session.lossReason()).isEmpty();
  }

  @Test
  void a_closed_session_has_ended_for_others_at_once() throws Exception {
    Session session = Session.on(leases).open();
    CompletableFuture<LossReason> lost = session.lost().toCompletableFuture();
    session.close();
    assertThat(seen(session)).isEmpty();
    assertThat(session.isTrusted()).isFalse();
    assertThat(lost).isNotDone();
  }

  /** The pause of a network or of a collector: nothing is renewed, and the process learns of it. */
  @Test
  void a_pause_beyond_the_ttl_kills_the_session_and_its_process_is_told_why() throws Exception {
    Session session = Session.on(leases).open();
    fixture.pause(TTL.plusSeconds(1));
    assertThat(session.isTrusted()).isFalse();
    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(session::ensureTrusted);
    fixture.advance(Duration.ofSeconds(1));
    assertThat(session.lost().toCompletableFuture()).isCompleted();
    assertThat(session.lossReason()).isPresent();
  }

  @Test
  void a_session_that_an_operator_revokes_is_lost_with_the_reason() throws Exception {
    Session session = Session.on(leases).open();
    fixture
        .leases()
        .apply(
            List.of(
                new Command.Revoke(
                    session.key(),
                    new Operator("olga"),
                    new Explanation("wrong build"),
                    Command.Reopening.NOW,
                    new RequestId("r1"))));
    fixture.advance(TTL);
    assertThat(session.lossReason()).contains(new LossReason.Revoked("olga", "wrong build"));
  }

  @Test
  void a_store_that_grants_nothing_for_now_opens_no_session() {
    fixture.storeTakesBatches(
        batch ->
            CompletableFuture.completedFuture(
                batch.stream()
                    .<Outcome>map(
                        command ->
                            new Outcome.Closed("the store was restored", OptionalLong.of(30_000)))
                    .toList()));
    SessionBuilder session = Session.on(leases);
    assertThatExceptionOfType(SessionNotOpenedException.class)
        .isThrownBy(session::open)
        .withMessageContaining("the store was restored");
  }

  @Test
  void a_role_is_one_word() {
    SessionBuilder session = Session.on(leases);
    assertThatExceptionOfType(IllFormedException.class)
        .isThrownBy(() -> session.role("a,b"))
        .withMessage("a role is one word without a comma, not 'a,b'");
    assertThatExceptionOfType(IllFormedException.class).isThrownBy(() -> session.role("a b"));
  }

  @Test
  void a_lease_of_another_kind_is_no_session() throws Exception {
    Session session = Session.on(leases).open();
    Lease lock = BlocksFixture.lease(leases.tryAcquire(LeaseRequest.of("lock/a")));
    List<LeaseReading> all =
        fixture.leases().list(ListQuery.all("")).toCompletableFuture().join().items();
    assertThat(all)
        .extracting(reading -> reading.record().key())
        .contains(lock.key(), session.key());
    assertThat(all.stream().flatMap(reading -> SessionInfo.of(reading).stream()))
        .extracting(SessionInfo::grant)
        .containsExactly(session.grant());
  }
}
